#!/usr/bin/env bash
# Writes what the small archives of Tests/Fixtures/sites give now as what they have to give from now on.
# Look at the difference with git before you commit it.
set -euo pipefail
cd "$(dirname "$0")/.."
STILLFEED_RECORD_GOLDENS=1 swift test --filter 'SiteTests.GoldenTests/golden' "$@"
git --no-pager diff --stat -- Tests/Fixtures/sites
