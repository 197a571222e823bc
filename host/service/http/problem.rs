//! Errors as answers.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use guardhost_observer::wire::{HeldClaim, Problem, ProblemCode};

use crate::answers::NoAnswer;
use crate::storage::StorageError;

/// An answer that is no success.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    problem: Problem,
}

pub type Answered<T> = Result<Json<T>, Failure>;

impl Failure {
    pub fn new(code: ProblemCode, error: impl Into<String>) -> Self {
        let status = match code {
            ProblemCode::BadRequest => StatusCode::BAD_REQUEST,
            ProblemCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ProblemCode::Forbidden | ProblemCode::NoTarget => StatusCode::FORBIDDEN,
            ProblemCode::NotFound => StatusCode::NOT_FOUND,
            ProblemCode::Claimed | ProblemCode::StaleFence | ProblemCode::IdReused => StatusCode::CONFLICT,
            ProblemCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ProblemCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ProblemCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ProblemCode::Internal | ProblemCode::Unknown => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure { status, problem: Problem { error: error.into(), code, held_by: None, fence: None, until: None } }
    }

    pub fn bad(error: impl Into<String>) -> Self {
        Failure::new(ProblemCode::BadRequest, error)
    }

    /// With the claim that stands in the way.
    pub fn held(self, claim: Option<HeldClaim>) -> Self {
        let Some(claim) = claim else { return self };
        let held_by = Some(claim.holder);
        let problem = Problem { held_by, fence: Some(claim.fence), until: Some(claim.until), ..self.problem };
        Failure { problem, ..self }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        let text = error.to_string();
        match error {
            StorageError::IdReused(_) => Failure::new(ProblemCode::IdReused, text),
            StorageError::StaleFence(present) => Failure::new(ProblemCode::StaleFence, text).held(present),
            StorageError::Unreadable(_) => {
                tracing::error!("{text}");
                Failure::new(ProblemCode::Internal, text)
            }
            StorageError::Unavailable(_) => {
                tracing::error!("{text}");
                Failure::new(ProblemCode::Unavailable, text)
            }
        }
    }
}

impl From<NoAnswer> for Failure {
    fn from(none: NoAnswer) -> Self {
        match none {
            NoAnswer::Wrong(why) => Failure::bad(why),
            NoAnswer::Unknown(why) => Failure::new(ProblemCode::NotFound, why),
            NoAnswer::Failed(why) => {
                tracing::error!("{why}");
                Failure::new(ProblemCode::Internal, why)
            }
        }
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Failure::new(ProblemCode::TooLarge, "the body is too large"),
            _ => Failure::bad(rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for Failure {
    fn from(rejection: QueryRejection) -> Self {
        Failure::bad(rejection.body_text())
    }
}

pub async fn no_such_endpoint() -> Failure {
    Failure::new(ProblemCode::NotFound, "there is no such endpoint; GET /contract lists them")
}

pub async fn no_such_method() -> Response {
    let failure = Failure::bad("the endpoint has no such method; GET /contract lists them");
    Failure { status: StatusCode::METHOD_NOT_ALLOWED, ..failure }.into_response()
}
