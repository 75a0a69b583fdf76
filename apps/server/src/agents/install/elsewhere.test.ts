import { type ContainerHostOptions, openContainerHost } from '@pulse/lab'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentBytes } from './fixtures-server.ts'
import { installGround } from './fixtures.ts'

const token = 'canary0123456789'

const on = installGround((given?: ContainerHostOptions) =>
  openContainerHost({ engineId: 'ABCD:EFGH', ...given }),
)
const { aHost, pathOf, read, has, files } = on
const run = (args = ['--url', on.server.url, '--token', token]) =>
  on.host.sh(['-c', on.server.script(on.host.root), 'sh', ...args])
const uninstall = (...more: string[]) => run(['--uninstall', ...more])

const binary = 'usr/local/bin/pulse-docker-agent'
const hook = 'boot/config/go.d/pulse-docker-agent.sh'
const log = 'var/log/pulse-docker-agent.log'

describe('[collection 3.8] on Unraid', () => {
  test('a hook starts it with the host, from what outlives a restart', async () => {
    await aHost({ starts: 'unraid' })
    for (const _ of [1, 2]) expect((await run()).code).toBe(0)
    expect(read('boot/config/pulse-docker-agent/pulse-docker-agent.env')).toContain(`PULSE_TOKEN="${token}"`)
    expect(read(hook)).not.toContain(token)
    expect(read('boot/config/go').split('\n')).toEqual([
      '#!/bin/bash',
      '/usr/local/sbin/emhttp',
      `[ ! -f ${pathOf(hook)} ] || sh ${pathOf(hook)} # Pulse Docker agent`,
      '',
    ])
    fs.rmSync(pathOf(binary))
    spawnSync('/bin/sh', [pathOf(hook)], { env: on.host.env })
    expect(fs.readFileSync(pathOf(binary))).toEqual(agentBytes)
  })

  test('and is taken back, but for its log', async () => {
    await aHost({ starts: 'unraid' })
    const before = read('boot/config/go')
    await run()
    fs.writeFileSync(pathOf(log), 'old lines')
    expect((await uninstall()).stdout).toContain('Its log was kept')
    expect(files()).toEqual([`root/${log}`])
    expect(read('boot/config/go').trimEnd()).toBe(before)
    await uninstall('--purge')
    expect(files()).toEqual([])
  })
})

describe('[collection 3.8] elsewhere', () => {
  test('nothing is started, and the command that would is shown without the token', async () => {
    await aHost({ starts: 'nothing' })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    const command = `sh -c 'set -a; . ${pathOf('etc/pulse-docker-agent.env')}; exec ${pathOf(binary)}'`
    expect(stdout).toContain(command)
    expect(stdout).not.toContain(token)
    // the agent of this test is a program that requires an argument
    expect(spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).stderr).toContain('missing operand')
  })
})

const busybox = ['/usr/bin/busybox', '/bin/busybox'].find((file) => fs.existsSync(file))
if (!busybox) console.log('skipped: no busybox')

test.skipIf(!busybox)('where everything is busybox, the agent is installed and taken back', async () => {
  await aHost({ ...(busybox && { busybox }), without: ['bash', 'curl', 'openssl'] })
  expect(await run(['--url', on.server.url, '--token', token, '--interval', '45s'])).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(fs.readFileSync(pathOf(binary))).toEqual(agentBytes)
  expect(read('etc/pulse-docker-agent.env')).toContain('PULSE_INTERVAL="45s"')
  expect(await uninstall()).toMatchObject({ code: 0, stderr: '' })
  expect(files()).toEqual([])
})

const analyze = '/usr/bin/systemd-analyze'
const hasAnalyze = spawnSync(analyze, ['--version']).status === 0
if (!hasAnalyze) console.log('skipped: no systemd-analyze')

test.skipIf(!hasAnalyze)('[S21] systemd understands the unit, and calls it little exposed', async () => {
  await aHost()
  await run()
  const unit = pathOf('etc/systemd/system/pulse-docker-agent.service')
  const verified = spawnSync(analyze, ['verify', '--man=no', unit], { encoding: 'utf8' })
  expect(verified.stderr.split('\n').filter((line) => line.includes('pulse-docker-agent'))).toEqual([])
  // exposure out of 100; a service without any restriction has 96
  expect(spawnSync(analyze, ['security', '--offline=true', '--threshold=25', unit]).status).toBe(0)
})

describe('--uninstall', () => {
  test('takes everything back, twice without harm, and asks Pulse nothing', async () => {
    await aHost()
    await run()
    fs.mkdirSync(pathOf('etc/systemd/system/pulse-docker-agent.service.d'))
    fs.writeFileSync(pathOf('etc/systemd/system/pulse-docker-agent.service.d/override.conf'), token)
    for (const more of ['.previous', '.new-4711']) fs.writeFileSync(pathOf(binary + more), 'of an update')
    on.server.asked = []
    for (const _ of [1, 2]) {
      const { code, stderr } = await uninstall()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(files()).toEqual([])
    }
    expect([on.host.enabled, on.host.active, on.server.asked]).toEqual([new Set(), new Set(), []])
  })

  test('ends the agent that runs, and no other program of its name', async () => {
    await aHost({ starts: 'nothing' })
    await run()
    const other = path.join(on.host.env['HOME']!, 'pulse-docker-agent')
    fs.copyFileSync(pathOf(binary), other)
    // the agent replaces its arguments with this title, because they may contain a token
    const titled = { stdio: 'ignore', argv0: 'pulse-docker-agent' } as const
    const [agent, namesake] = [pathOf(binary), other].map((file) => spawn(file, ['600'], titled))
    const ended = once(agent!, 'exit')
    await uninstall()
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(namesake!.exitCode ?? namesake!.signalCode).toBeNull()
    namesake!.kill()
  })

  test('goes on when systemd does not, and says so', async () => {
    await aHost()
    await run()
    on.host.spoil(['systemctl', 'stop'], 'fails')
    const { stderr } = await uninstall()
    expect(stderr).toContain('The service could not be stopped')
    expect(files()).toEqual([])
  })

  test('leaves alone what stands where the agent would', async () => {
    await aHost()
    fs.mkdirSync(pathOf(binary))
    await uninstall()
    expect(has(binary)).toBe(true)
  })
})

describe('[S12] hostile values', () => {
  /** Texts that are harmful without quotes. Each tries to create the file `caught`. */
  const harmful = [
    "'; touch caught; '",
    '"; touch caught; "',
    '$(touch caught)',
    '\u0060touch caught\u0060',
    '\ntouch caught\n',
    '; touch caught #',
    '| touch caught',
    '%n%t$HOME',
    '\\',
    '-o caught',
    '../../caught',
    '*',
    ' ',
    'é',
    '\u001b[31m',
    'a\nExecStartPre=/bin/touch caught',
  ]
  const caught = () => on.host.newFiles().filter((name) => name.includes('caught'))

  test.each(harmful)(
    '%j is refused as an address, a path, a length of time and part of a target',
    async (text) => {
      await aHost()
      const good = ['--url', on.server.url, '--token', token]
      for (const args of [
        ['--url', `http://127.0.0.1/${text}`, '--token', token],
        [...good, '--interval', `30s${text}`],
        ['--target', `${on.server.url}${text}|${token}`],
        ['--target', `${on.server.url}|${token}|${text}`],
      ]) {
        // Separators, and blanks at the ends of a target, are not part of it.
        if (/^[;\s]*$/.test(text)) continue
        const { code } = await run(args)
        expect({ args, code }).toEqual({ args, code: 1 })
      }
      const { code } = await run([...good, '--agent-path', `/srv/${text}`])
      expect(code === 1 || text === '../../caught').toBe(true)
      expect([caught(), on.server.asked.filter(() => code === 1)]).toEqual([[], []])
    },
  )

  test('a token arrives as it is, to systemd and to a shell', async () => {
    await aHost()
    const odd = `a"b'c\\d$e\u0060f%g*h&i`
    expect((await run(['--url', on.server.url, '--token', odd])).code).toBe(0)
    const shown = spawnSync(
      '/bin/sh',
      ['-c', `. ${pathOf('etc/pulse-docker-agent.env')}; printf %s "$PULSE_TOKEN"`],
      {
        encoding: 'utf8',
      },
    )
    expect(shown.stdout).toBe(odd)
    expect(on.server.asked.find(({ method }) => method === 'POST')?.token).toBe(odd)
  })

  test.each(harmful)('an engine that calls itself %j is only a part of an address', async (engineId) => {
    await aHost({ engineId, hostname: engineId })
    expect((await run()).code).toBe(0)
    const { path: asked } = on.server.asked.find(({ method }) => method === 'POST')!
    expect(asked).toMatch(/^\/api\/agents\/docker\/hosts\/(%[0-9a-f]{2})+\/allow-reenroll$/)
    expect(caught()).toEqual([])
  })
})

describe('[S12] files of another user where the agent goes', () => {
  test.each(['pulse-docker-agent.new', 'pulse-docker-agent', '.pulse-docker-agent.probe'])(
    'a link called %s leads nowhere',
    async (name) => {
      await aHost()
      fs.mkdirSync(pathOf('usr/local/bin'), { recursive: true })
      const victim = pathOf('etc/victim')
      fs.writeFileSync(victim, 'of another user')
      fs.symlinkSync(victim, pathOf(`usr/local/bin/${name}`))
      expect((await run()).code).toBe(0)
      expect(fs.readFileSync(victim, 'utf8')).toBe('of another user')
      expect(fs.lstatSync(pathOf(binary)).isFile()).toBe(true)
      expect(fs.readFileSync(pathOf(binary))).toEqual(agentBytes)
    },
  )
})
