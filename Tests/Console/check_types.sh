#!/bin/sh
# Checks the types of the console's modules with tsc of Debian's package node-typescript.
set -eu
cd "$(dirname "$0")/../../Sources/CConsoleFiles/files"
# shellcheck disable=SC2046 # The names have no spaces.
exec tsc --noEmit --allowJs --checkJs --strict --target es2022 --module es2022 \
    --moduleResolution node --lib es2022,dom,dom.iterable $(find . -name "*.js")
