import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stampOf } from './build.mjs'
import { aCheckout, type Checkout } from './fixtures.ts'
import { step } from './child.mjs'

let checkout: Checkout
beforeEach(() => {
  checkout = aCheckout()
})
afterEach(() => checkout.remove())

const product = () => path.join(checkout.root, 'apps/server/dist/main.js')

describe('npm start', () => {
  test('runs the built product with the local data folder, and passes on its arguments and exit code', async () => {
    const args = ['reset-password', 'anna b', '--weird']
    const { code } = await checkout.run('start.mjs', args, { STUB_CODE: '3' })
    expect(code).toBe(3)
    const [started, ...others] = checkout.started()
    expect(others).toEqual([])
    const flags = ['--max-semi-space-size=4', '--heap-growing-percent=50', '--no-memory-pool']
    expect(started!.args).toEqual([...flags, product(), ...args])
    expect(started!.env).toMatchObject({
      PULSE_DATA_DIR: path.join(checkout.root, 'data'),
      PULSE_FRONTEND_DIR: path.join(checkout.root, 'apps/web/dist'),
      PULSE_AGENT_DIR: path.join(checkout.root, 'apps/agent/dist'),
    })
  })

  test.each([
    ['', '4', '50'],
    ['serve', '4', '35'],
    ['collect,judge,serve', '4', '50'],
    ['collect', '16', '50'],
    ['collect, judge', '16', '50'],
  ])(
    'gives a process with the roles "%s" a young generation of %s MB, and %s % between collections',
    async (roles, size, percent) => {
      await checkout.run('start.mjs', [], { PULSE_ROLES: roles })
      const flags = [`--max-semi-space-size=${size}`, `--heap-growing-percent=${percent}`]
      expect(checkout.started()[0]!.args).toEqual(expect.arrayContaining(flags))
    },
  )

  test('keeps variables of the caller', async () => {
    const folders = { PULSE_FRONTEND_DIR: '/srv/web', PULSE_AGENT_DIR: '/srv/agent' }
    const own = { PULSE_DATA_DIR: '/srv/pulse', ...folders, FRONTEND_PORT: '8080' }
    await checkout.run('start.mjs', [], own)
    expect(checkout.started()[0]!.env).toMatchObject(own)
  })

  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 5],
  ] as const)('%s goes to the product, which ends in its own way', async (signal, code) => {
    const { child, ended } = checkout.begin('start.mjs', [], { STUB_URL: 'http://127.0.0.1:1' })
    await expect.poll(() => checkout.isStaying()).toBe(true)
    child.kill(signal)
    expect((await ended).code).toBe(code)
  })
})

describe('packages', () => {
  const npm = () => checkout.started().filter(({ name }) => name === 'npm')

  test('that match the lock file are not installed again', async () => {
    await checkout.run('start.mjs')
    expect(npm()).toEqual([])
  })

  test('are installed from the lock file when it has changed, once', async () => {
    checkout.write('package-lock.json', '{"lockfileVersion": 3, "new": true}')
    checkout.isBuilt()
    const { stdout } = await checkout.run('start.mjs')
    expect(stdout.split('\n')).toEqual([
      'Installing packages (only now and after an update) …',
      'Starting Pulse …',
      '',
    ])
    await checkout.run('start.mjs')
    expect(npm().map(({ args }) => args)).toEqual([['ci', '--no-audit', '--no-fund', '--loglevel=error']])
    expect(checkout.started().map(({ name }) => name)).toEqual(['npm', 'node', 'node'])
  })

  test('that cannot be installed are reported, nothing starts, and the next start tries again', async () => {
    checkout.write('package-lock.json', '{}')
    const { code, stderr } = await checkout.run('start.mjs', [], { STUB_CODE: '7' })
    expect(code).toBe(7)
    expect(stderr).toContain('could not be installed')
    await checkout.run('start.mjs', [], { STUB_CODE: '7' })
    expect(checkout.started().map(({ name }) => name)).toEqual(['npm', 'npm'])
  })
})

describe('a long step', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('prints its name at once, its progress every five seconds, and its end', async () => {
    const said: string[] = []
    const work = Promise.withResolvers<number>()
    const done = step(
      'Building web',
      () => work.promise,
      (line) => said.push(line),
    )
    expect(said).toEqual(['Building web …'])
    await vi.advanceTimersByTimeAsync(12_000)
    expect(said.slice(1)).toEqual(['Building web … 5 s', 'Building web … 10 s'])
    work.resolve(7)
    expect(await done).toBe(7)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said.slice(3)).toEqual(['Building web: done after 12 s'])
  })

  test('that fails prints no end', async () => {
    const said: string[] = []
    await expect(
      step(
        'Building web',
        () => Promise.reject(new Error('no room')),
        (line) => said.push(line),
      ),
    ).rejects.toThrow('no room')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual(['Building web …'])
  })
})

describe('what is built', () => {
  test('is recognized by names, sizes and times of its sources, older ones included', () => {
    const file = 'apps/web/src/page.ts'
    const stamps: string[] = []
    const look = () => stamps.push(stampOf('web', checkout.root))
    const set = (name: string, text: string, seconds: number) => {
      checkout.write(name, text)
      fs.utimesSync(path.join(checkout.root, name), seconds, seconds)
      look()
    }
    look()
    set(file, 'one', 2e9)
    set(file, 'one', 1e9)
    set(file, 'three', 1e9)
    fs.renameSync(path.join(checkout.root, file), path.join(checkout.root, 'apps/web/src/other.ts'))
    look()
    expect(new Set(stamps).size, stamps.join(' ')).toBe(5)
    look()
    expect(stamps.at(-1)).toBe(stamps.at(-2))
    set('apps/lab/src/main.ts', '', 3e9)
    expect(stamps.at(-1), 'not what others are built from').toBe(stamps.at(-2))
  })

  test('is built again when a source has changed, and a failed build starts nothing', async () => {
    checkout.write('apps/web/src/page.ts', '')
    const { code, stdout, stderr } = await checkout.run('start.mjs', [], { STUB_CODE: '1' })
    expect(code).toBe(1)
    expect(stdout).toContain('Building web …')
    expect(stderr).toContain('Building web failed')
    expect(checkout.started().map(({ args }) => args.at(1))).toEqual(['build'])
  })
})

describe('node scripts/run.mjs', () => {
  test('runs the script it is given on the pinned Node, found first by whatever that starts', async () => {
    const { code } = await checkout.run('run.mjs', ['apps/lab/src/tool.ts', '--a', 'b c'], {
      STUB_CODE: '4',
    })
    expect(code).toBe(4)
    const { args, env } = checkout.started()[0]!
    expect(args).toEqual(['apps/lab/src/tool.ts', '--a', 'b c'])
    const pinned = `node_modules/node-${process.platform}-${process.arch}/bin`
    expect(env['PATH']!.split(':')[0]).toBe(path.join(checkout.root, pinned))
  })
})
