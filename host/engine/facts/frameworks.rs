//! Frameworks, recognised by the exact name of a declared package.

use std::collections::BTreeSet;

use super::{Ecosystem, Manifest};

/// A package that is itself a framework counts too: its own documents may mention it.
pub fn frameworks(manifests: &[Manifest]) -> Vec<&'static str> {
    let mut found = BTreeSet::new();
    for manifest in manifests {
        let declared = manifest.dependencies.iter().map(|dependency| {
            // npm's aliases: `"ui": "npm:react@18"`.
            let real = dependency.requirement.strip_prefix("npm:").filter(|_| manifest.ecosystem == Ecosystem::Npm);
            let real = real
                .map(|real| real.rsplit_once('@').map_or(real, |(name, _)| if name.is_empty() { real } else { name }));
            real.unwrap_or(&dependency.name)
        });
        found.extend(declared.chain(manifest.name.as_deref()).filter_map(|name| framework(manifest.ecosystem, name)));
    }
    found.into_iter().collect()
}

fn framework(ecosystem: Ecosystem, package: &str) -> Option<&'static str> {
    match ecosystem {
        Ecosystem::Npm => npm(package),
        Ecosystem::Python => python(package),
        Ecosystem::Cargo => cargo(package),
        Ecosystem::Go => go(package),
        Ecosystem::Ruby => ruby(package),
        Ecosystem::Php => php(package),
        Ecosystem::Maven | Ecosystem::Gradle => jvm(package),
        Ecosystem::Other => None,
    }
}

fn npm(package: &str) -> Option<&'static str> {
    Some(match package {
        "react" => "react",
        "preact" => "preact",
        "vue" | "@vue/cli" | "@vue/cli-service" => "vue",
        "svelte" => "svelte",
        "@angular/core" => "angular",
        "solid-js" => "solid",
        "lit" => "lit",
        "next" => "next",
        "nuxt" | "nuxt3" => "nuxt",
        "@sveltejs/kit" => "sveltekit",
        "@remix-run/react" => "remix",
        "gatsby" => "gatsby",
        "astro" => "astro",
        "redux" | "@reduxjs/toolkit" => "redux",
        "zustand" => "zustand",
        "mobx" => "mobx",
        "jotai" => "jotai",
        "pinia" => "pinia",
        "express" => "express",
        "fastify" => "fastify",
        "koa" => "koa",
        "@nestjs/core" => "nestjs",
        "hapi" | "@hapi/hapi" => "hapi",
        "tailwindcss" => "tailwindcss",
        "@mui/material" | "@material-ui/core" => "mui",
        "@chakra-ui/react" => "chakra",
        "antd" => "antd",
        "bootstrap" => "bootstrap",
        "jest" => "jest",
        "vitest" => "vitest",
        "mocha" => "mocha",
        _ => return None,
    })
}

/// Names are compared by PEP 503: letter case and runs of `-`, `_`, `.` make no difference.
fn python(package: &str) -> Option<&'static str> {
    let parts = package.split(['-', '_', '.']).filter(|part| !part.is_empty());
    let normal = parts.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    Some(match normal.as_str() {
        "django" => "django",
        "flask" => "flask",
        "fastapi" => "fastapi",
        "starlette" => "starlette",
        "tornado" => "tornado",
        "bottle" => "bottle",
        "click" => "click",
        "typer" => "typer",
        "sqlalchemy" => "sqlalchemy",
        "pydantic" => "pydantic",
        "pytest" => "pytest",
        _ => return None,
    })
}

fn cargo(package: &str) -> Option<&'static str> {
    Some(match package {
        "actix-web" => "actix",
        "rocket" => "rocket",
        "axum" => "axum",
        "warp" => "warp",
        "tide" => "tide",
        "poem" => "poem",
        "clap" => "clap",
        "structopt" => "structopt",
        "tokio" => "tokio",
        "serde" => "serde",
        _ => return None,
    })
}

/// A major version is part of a module's path.
fn go(module: &str) -> Option<&'static str> {
    let versioned = |last: &str| last.strip_prefix('v').is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    let module = module.rsplit_once('/').filter(|(_, last)| versioned(last)).map_or(module, |(path, _)| path);
    Some(match module {
        "github.com/gin-gonic/gin" => "gin",
        "github.com/labstack/echo" => "echo",
        "github.com/gofiber/fiber" => "fiber",
        "github.com/go-chi/chi" => "chi",
        "github.com/spf13/cobra" => "cobra",
        "github.com/urfave/cli" => "urfave-cli",
        _ => return None,
    })
}

fn ruby(gem: &str) -> Option<&'static str> {
    Some(match gem {
        "rails" => "rails",
        "sinatra" => "sinatra",
        "hanami" => "hanami",
        "rspec" | "rspec-rails" => "rspec",
        _ => return None,
    })
}

fn php(package: &str) -> Option<&'static str> {
    Some(match package {
        "laravel/framework" => "laravel",
        "symfony/framework-bundle" | "symfony/symfony" => "symfony",
        "slim/slim" => "slim",
        "phpunit/phpunit" => "phpunit",
        _ => return None,
    })
}

/// By group, because a framework consists of many artifacts.
fn jvm(coordinates: &str) -> Option<&'static str> {
    let (group, _) = coordinates.split_once(':').unwrap_or((coordinates, ""));
    Some(match group {
        "org.springframework.boot" => "spring-boot",
        "org.springframework" => "spring",
        "io.quarkus" => "quarkus",
        "io.micronaut" => "micronaut",
        "io.ktor" => "ktor",
        "org.junit.jupiter" | "junit" => "junit",
        _ => return None,
    })
}
