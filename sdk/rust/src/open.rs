//! Sets that may get more members. In the contract they are strings with documented values.

/// An enum of the contract's documented values, with `Other` for what later hosts say.
macro_rules! open_set {
    ($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $member:ident = $spelled:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $member,)*
            /// As the host spells it: this SDK does not know it.
            Other(String),
        }

        impl $name {
            /// As the contract spells it.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$member => $spelled,)*
                    $name::Other(spelled) => spelled,
                }
            }
        }

        impl From<String> for $name {
            fn from(spelled: String) -> Self {
                match spelled.as_str() {
                    $($spelled => $name::$member,)*
                    _ => $name::Other(spelled),
                }
            }
        }
    };
}

pub(crate) use open_set;
