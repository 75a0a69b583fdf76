import { type ContainerHostOptions, openContainerHost } from '@pulse/lab'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentBytes, processList, sum } from './fixtures-server.ts'
import { installGround } from './fixtures.ts'
import { agentProtocol } from '../protocol.ts'
import { installScript } from './script.ts'

const shellcheck = ['/usr/bin/shellcheck', '/usr/local/bin/shellcheck'].find(
  (file) => spawnSync(file, ['--version']).status === 0,
)
if (!shellcheck) console.log('skipped: no shellcheck')

const token = 'canary0123456789'

const on = installGround((given?: ContainerHostOptions) =>
  openContainerHost({ engineId: 'ABCD:EFGH', ...given }),
)
const { aHost, pathOf, read, has, files } = on

interface Run {
  args?: string[]
  env?: Record<string, string>
  /** the checksum in the script */
  checksum?: string
}
const run = ({ args = ['--url', on.server.url, '--token', token], env = {}, checksum }: Run = {}) =>
  on.host.sh(['-c', on.server.script(on.host.root, checksum), 'sh', ...args], { env })

const mode = (name: string) => (fs.statSync(pathOf(name)).mode & 0o777).toString(8)
const binary = 'usr/local/bin/pulse-docker-agent'
const unit = 'etc/systemd/system/pulse-docker-agent.service'
const variables = 'etc/pulse-docker-agent.env'

describe('[S12] the script', () => {
  test.skipIf(!shellcheck).each(['sh', 'dash', 'bash'])('passes shellcheck for %s', async (shell) => {
    await aHost()
    const words = [`--shell=${shell}`, '--severity=style', '-']
    const { stdout, status } = spawnSync(shellcheck!, words, {
      input: installScript(agentProtocol.install, {
        checksums: { 'linux-amd64': sum(agentBytes) },
        port: 7655,
      }),
      encoding: 'utf8',
    })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })

  test('that arrives in part changes nothing, wherever it is cut', async () => {
    await aHost()
    const script = on.server.script(on.host.root)
    for (let length = 0; length < script.length - 24; length += 397) {
      await on.host.sh(['-s', '--', '--url', on.server.url, '--token', token], {
        input: script.slice(0, length),
      })
    }
    expect([on.host.calls, on.server.asked, on.host.newFiles()]).toEqual([[], [], []])
  })

  test('that comes through a pipe is not read by the commands it runs', async () => {
    await aHost()
    const input = `${on.server.script(on.host.root)}\necho all of it\n`
    const { code, stdout } = await on.host.sh(['-s', '--', '--url', on.server.url, '--token', token], {
      input,
    })
    expect(code).toBe(0)
    expect(stdout.endsWith('all of it\n')).toBe(true)
  })
})

describe('[collection 3.8] on a host with systemd', () => {
  test('the agent runs as a service, and nothing but its file of variables holds the token', async () => {
    await aHost()
    const { code, stderr } = await run({
      args: ['--url', `${on.server.url}/`, '--token', token, '--interval', '1m30s'],
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(fs.readFileSync(pathOf(binary))).toEqual(agentBytes)
    expect([mode(binary), mode(unit), mode(variables)]).toEqual(['755', '644', '600'])
    expect(read(variables)).toBe(
      `PULSE_URL="${on.server.url}"\nPULSE_TOKEN="${token}"\nPULSE_INTERVAL="1m30s"\n`,
    )
    expect(read(unit)).not.toContain(token)
    expect(read(unit)).toContain(`\nExecStart="${pathOf(binary)}"\nRestart=on-failure\nRestartSec=5s\n`)
    expect(read(unit)).toContain(`\nEnvironmentFile=${pathOf(variables)}\n`)
    for (const line of ['User=root', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      expect(read(unit).split('\n')).toContain(line)
    expect(read(unit)).not.toContain('MemoryDenyWriteExecute')
    expect(on.host.calls.filter(([name]) => name === 'systemctl').map(([, verb]) => verb)).toEqual([
      'daemon-reload',
      'enable',
      'restart',
    ])
    expect(on.host.active).toEqual(new Set(['pulse-docker-agent.service']))
    expect(files().toSorted()).toEqual([binary, unit, variables].map((name) => `root/${name}`).toSorted())
  })

  test('a second run leaves one of everything', async () => {
    await aHost()
    await run()
    expect((await run()).code).toBe(0)
    expect(files()).toHaveLength(3)
  })

  test('Pulse is asked to let the host in again, by the name the agent will have', async () => {
    await aHost({ engineId: 'AB:CD/../x y' })
    await run()
    expect(on.server.asked.find(({ method }) => method === 'POST')).toEqual({
      method: 'POST',
      path: `/api/agents/docker/hosts/${[...Buffer.from('AB:CD/../x y')].map((byte) => `%${byte.toString(16)}`).join('')}/allow-reenroll`,
      token,
    })
    expect(on.server.asked.filter(({ method }) => method === 'GET').map((one) => one.token)).toEqual([
      undefined,
      undefined,
    ])
  })

  test('a token without the scope is refused with the reason, and nothing more', async () => {
    await aHost()
    on.server.reenroll = 403
    const { code, stderr } = await run()
    expect(code).toBe(0)
    expect(stderr).toContain('use a token created since, or allow it to report again')
  })

  test('against a server under development the agent does not replace itself', async () => {
    await aHost()
    on.server.isDevelopment = true
    await run()
    expect(read(unit)).toContain(`\nExecStart="${pathOf(binary)}" --no-auto-update\n`)
  })

  test('[S16] the token shows in no list of processes', async () => {
    await aHost()
    // Tests that run in parallel have processes of their own in the list.
    const own = `canary${randomUUID()}`
    const seen: string[] = []
    on.server.onAsked = () => seen.push(...processList())
    await run({ args: ['--url', on.server.url], env: { PULSE_TOKEN: own } })
    expect(seen.some((line) => line.includes('/allow-reenroll'))).toBe(true)
    expect(seen.filter((line) => line.includes(own))).toEqual([])
    expect(read(variables)).toContain(own)
  })
})

describe('what comes', () => {
  test.each([
    {
      what: 'is another agent',
      agent: { status: 200, bytes: Buffer.from('#!/bin/sh\n') },
      says: 'checksum of the downloaded agent is wrong',
    },
    {
      what: 'is not there',
      agent: { status: 404, bytes: Buffer.from('no') },
      says: 'Cannot download the agent',
    },
    {
      what: 'is empty',
      agent: { status: 200, bytes: Buffer.alloc(0) },
      says: 'checksum of the downloaded agent is wrong',
    },
  ])('and $what is not put in place of what is there', async ({ agent, says }) => {
    await aHost()
    await run()
    on.server.agent = agent
    const { code, stderr } = await run({ checksum: sum(agentBytes) })
    expect(code).toBe(1)
    expect(stderr).toContain(says)
    expect(fs.readFileSync(pathOf(binary))).toEqual(agentBytes)
    expect(files()).toHaveLength(3)
  })

  test('and cannot run on this host is not installed', async () => {
    await aHost()
    on.server.agent = { status: 200, bytes: Buffer.from('#!/no/such/loader\n') }
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('cannot run on this host')
    expect(files()).toEqual([])
  })

  test.each([
    { machine: 'armv7l', says: 'There is no agent for armv7l.' },
    {
      machine: 'aarch64',
      says: 'built without the agent for linux-arm64.\n       Build it there with npm run build -- --all-platforms, or',
    },
  ])('is refused before anything is changed on $machine', async ({ machine, says }) => {
    await aHost({ machine })
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain(says)
    expect([on.server.asked, files()]).toEqual([[], []])
  })

  test.each([['wget'], ['curl']])('comes without %s too', async (tool) => {
    await aHost({ without: [tool] })
    expect((await run()).code).toBe(0)
    expect(has(binary)).toBe(true)
  })

  test('does not come where there is neither', async () => {
    await aHost({ without: ['wget', 'curl'] })
    expect((await run()).stderr).toContain('wget or curl is required')
    expect(files()).toEqual([])
  })
})

describe('[collection 3.8] the first place that can be written', () => {
  const opt = 'opt/pulse/bin/pulse-docker-agent'

  test('is the one that was named', async () => {
    await aHost()
    const file = pathOf('srv/agents/pulse')
    await run({ env: { PULSE_AGENT_PATH: file } })
    expect(read(unit)).toContain(`ExecStart="${file}"`)
    await run()
    expect(read(unit)).toContain(`ExecStart="${file}"`)
    expect(has(binary)).toBe(false)
  })

  test('is the next one when that cannot be, and it says so', async () => {
    await aHost()
    fs.rmdirSync(pathOf('usr/local/bin'))
    fs.writeFileSync(pathOf('usr/local/bin'), 'a file')
    const { stderr } = await run({
      args: ['--url', on.server.url, '--token', token, '--agent-path', pathOf('usr/local/bin/x')],
    })
    expect(stderr).toContain(`using ${pathOf(opt)} instead`)
    expect([has(opt), mode(opt)]).toEqual([true, '755'])
  })

  test('is where the original agent was, which it replaces', async () => {
    await aHost()
    fs.writeFileSync(pathOf(unit), `[Service]\nExecStart=${pathOf(opt)} --url http://x --token y\n`)
    await run()
    expect([has(opt), has(binary)]).toEqual([true, false])
  })

  test('is never a shell that some unit starts', async () => {
    await aHost()
    fs.writeFileSync(pathOf(unit), '[Service]\nExecStart=/bin/sh -c agent\n')
    await run()
    expect(has(binary)).toBe(true)
  })
})

describe('[collection 3.7] several targets', () => {
  test('go into one variable; the first is where the agent comes from', async () => {
    await aHost()
    const args = ['--target', 'https://b.example|two|insecure', '--target', 'https://c.example|three']
    expect((await run({ args, env: { PULSE_TARGETS: `${on.server.url}/|one\n\n` } })).code).toBe(0)
    expect(read(variables)).toBe(
      `PULSE_TARGETS="${on.server.url}/|one;https://b.example|two|insecure;https://c.example|three"\n`,
    )
    expect(on.server.asked[0]!.path).toBe('/download/pulse-docker-agent?arch=linux-amd64')
  })

  test('one of them is one address and one token', async () => {
    await aHost()
    await run({ args: ['--target', `${on.server.url}|one|insecure`] })
    expect(read(variables)).toBe(
      `PULSE_URL="${on.server.url}"\nPULSE_TOKEN="one"\nPULSE_INSECURE_SKIP_VERIFY="true"\n`,
    )
  })
})

describe('a user who is not root', () => {
  const plain = { userId: 1000 } as const

  test('becomes root by sudo, with a script in a file; variables do not become arguments', async () => {
    await aHost(plain)
    const file = path.join(on.host.env['HOME']!, 'install.sh')
    fs.writeFileSync(file, on.server.script(on.host.root))
    const { code } = await on.host.sh([file, '--url', on.server.url], { env: { PULSE_TOKEN: token } })
    expect(code).toBe(0)
    expect(read(variables)).toContain(token)
    expect(JSON.stringify(on.host.calls)).not.toContain(token)
    expect(fs.readdirSync(on.host.env['HOME']!)).toEqual(['install.sh'])
  })

  test('becomes root by sudo with a script from a pipe, which is fetched once more', async () => {
    await aHost(plain)
    const input = on.server.script(on.host.root)
    const { code } = await on.host.sh(['-s', '--', '--url', on.server.url, '--token', token], { input })
    expect(code).toBe(0)
    expect(on.server.asked[0]!.path).toBe('/install-docker-agent.sh')
    expect(has(unit)).toBe(true)
  })

  test('sees what to do where there is no sudo', async () => {
    await aHost({ ...plain, without: ['sudo'] })
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('must run as root')
    expect(files()).toEqual([])
  })
})
