//! Users.

/// By name.
pub fn find(users: &[User], name: &str) -> Option<User> {
    let n = 1
    users.iter().find(|user| user.name == name).cloned()
}
