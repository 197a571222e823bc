//! Users.

/// By name.
pub fn find(users: &[User], name: &str) -> Option<User> {
    users.iter().find(|user| user.name == name).cloned()
}
