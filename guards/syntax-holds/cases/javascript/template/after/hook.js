import x from {{ path }};
