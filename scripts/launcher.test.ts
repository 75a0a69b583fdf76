import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './pinned-node.mjs'

test('[S21] programs of root load no code from folders of the service, whatever its variables say', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-launcher-'))
  fs.mkdirSync(path.join(folder, 'bin'))
  fs.copyFileSync(path.join(root, 'deploy/release/pulse'), path.join(folder, 'bin/pulse'))
  fs.writeFileSync(path.join(folder, 'bin/node'), '#!/bin/sh\nexec env\n', { mode: 0o755 })
  const env = {
    PATH: process.env['PATH'],
    FRONTEND_PORT: '7000',
    NODE_COMPILE_CACHE: '/var/cache/pulse',
    NODE_OPTIONS: '--require=/var/lib/pulse/one.js',
    NODE_PATH: '/var/lib/pulse',
    NODE_V8_COVERAGE: '/var/lib/pulse',
    NODE_REDIRECT_WARNINGS: '/var/lib/pulse/warnings',
    SSLKEYLOGFILE: '/var/lib/pulse/keys',
  }
  const { stdout } = spawnSync('sh', [path.join(folder, 'bin/pulse'), 'switch'], { env, encoding: 'utf8' })
  fs.rmSync(folder, { recursive: true })
  expect(stdout).toContain('FRONTEND_PORT=7000\n')
  expect(stdout).not.toMatch(/^(NODE_|SSLKEYLOGFILE)/m)
})
