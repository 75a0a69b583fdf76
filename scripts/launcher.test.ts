import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './pinned-node.mjs'
import { behindFlags, productFlags, serveFlags } from './product.mjs'

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

describe('the launcher of a release', () => {
  test.each([
    ['', '4', '50'],
    ['serve', '4', '35'],
    ['judge,serve', '4', '50'],
    ['collect', '16', '50'],
    ['collect, judge', '16', '50'],
  ])(
    'gives a process with the roles "%s" a young generation of %s MB, and %s % between collections',
    (roles, size, percent) => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-launcher-'))
      fs.mkdirSync(path.join(folder, 'bin'))
      const values: Record<string, string> = {
        FLAGS: productFlags.join(' '),
        BEHINDFLAGS: behindFlags.join(' '),
        SERVEFLAGS: serveFlags.join(' '),
        VARIABLES: 'MALLOC_ARENA_MAX=1',
      }
      const text = fs.readFileSync(path.join(root, 'deploy/release/pulse'), 'utf8')
      fs.writeFileSync(
        path.join(folder, 'bin/pulse'),
        text.replaceAll(/@([A-Z]+)@/g, (_, name: string) => values[name] ?? name),
      )
      fs.writeFileSync(path.join(folder, 'bin/node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
      const env = { PATH: process.env['PATH'], ...(roles && { PULSE_ROLES: roles }) }
      const { stdout } = spawnSync('sh', [path.join(folder, 'bin/pulse'), 'a b', 'c'], {
        env,
        encoding: 'utf8',
      })
      const main = path.join(fs.realpathSync(folder), 'server/dist/main.js')
      fs.rmSync(folder, { recursive: true })
      expect(stdout).toContain(`--max-semi-space-size=${size} --heap-growing-percent=${percent} `)
      expect(stdout).toContain(`${main} a b c\n`)
    },
  )
})
