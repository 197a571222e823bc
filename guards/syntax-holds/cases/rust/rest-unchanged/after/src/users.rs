//! Users.

/// By name.
pub fn find(users: &[User], name: &str) -> Option<User> {
    ... rest unchanged ....find(|user| user.name == name).cloned()
}
