// SPDX-FileCopyrightText: 2026 The Lithe authors
// SPDX-License-Identifier: MIT
//
// node --no-warnings scripts/run-wasm.mjs PROGRAM.wasm [ARGUMENT...]
//
// Runs a WASI program as if it were native: same arguments, environment and exit code. It sees the current
// folder as its root, so that relative paths mean the same as outside, and nothing above it.

import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...programArguments] = process.argv.slice(2);
if (!program) {
    console.error('usage: run-wasm.mjs PROGRAM.wasm [ARGUMENT...]');
    process.exit(2);
}
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...programArguments],
    env: process.env,
    preopens: { '/': process.cwd() },
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
try {
    process.exitCode = wasi.start(instance);
} catch (trap) {
    console.error(`${program}: ${trap.stack}`);
    process.exitCode = 134; // as a native program that aborted
}
