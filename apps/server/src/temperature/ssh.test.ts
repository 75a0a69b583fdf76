import { hasSshd, type SensorsHost, sensorsRecordings, startSensorsHost } from '@pulse/lab'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NodeConfig } from '@pulse/contract'
import { realClock } from '../edges.ts'
import { anyText } from '../testing/any-text.ts'
import { type Sandbox, sandbox } from './fixtures-sandbox.ts'
import { temperatureSetup } from './setup.ts'
import { ensureKey } from './ssh-key.ts'
import { readOverSsh, sshArguments, sshPath, type SshRun } from './ssh.ts'
import { targetsOf } from './targets.ts'
import { within } from '../../../../scripts/test-limits.ts'

describe.skipIf(!hasSshd())('the forced command holds (skipped where there is no sshd)', () => {
  let host: SensorsHost
  let box: Sandbox
  let folder: string
  let run: SshRun
  beforeAll(async () => {
    if (!hasSshd()) return
    host = await startSensorsHost('127.88.0.2')
    box = sandbox()
    box.sensors(`cat <<'END'\n${sensorsRecordings.amd}END`)
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-ssh-'))
    box.run(temperatureSetup({ publicKey: await ensureKey(folder), from: ['127.0.0.0/8'] }))
    host.authorize(box.authorizedKeys())
    fs.writeFileSync(path.join(folder, 'known'), '')
    const { address, port, user } = host
    run = { folder, address, port, user, alias: 'pulse-x', hostKeyFile: 'known', acceptNewKey: true }
  })
  afterAll(async () => {
    if (!hasSshd()) return
    await host.close()
    box.remove()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  /** Uses the key as a thief would, without the restrictions of the client. */
  const stolen = async (before: string[], after: string[]) => {
    const args = sshArguments(run).filter((arg) => arg !== '-n' && arg !== '-T')
    const at = args.indexOf('--')
    const free = args.slice(0, at).filter((arg, n, all) => {
      const isOption = (text: string | undefined) => text?.startsWith('ClearAllForwardings')
      return !isOption(arg) && !(arg === '-o' && isOption(all[n + 1]))
    })
    const all = [...free, ...before, '--', run.address, ...after]
    return promisify(execFile)(sshPath, all, { cwd: folder, timeout: within(30_000) }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    )
  }

  test('the readings come', async () => {
    expect(await readOverSsh(run, realClock)).toBe(sensorsRecordings.amd)
  })

  test.each([
    [['cat', '/etc/passwd']],
    [['-c', 'id']],
    [['; id']],
    [['sensors -j; id']],
    [['scp', '-f', '/etc/passwd']],
  ])('asked for %j it prints the readings', async (command) =>
    expect((await stolen([], command)).stdout).toBe(sensorsRecordings.amd),
  )

  test('no subsystem, no terminal', async () => {
    expect((await stolen(['-s'], ['sftp'])).stdout).toBe(sensorsRecordings.amd)
    const { stdout, stderr } = await stolen(['-tt'], ['sh'])
    expect(stdout).toBe('')
    expect(stderr).toContain('PTY allocation request failed')
  })

  test('no forwarding: nothing is reached through the host', async () => {
    let reached = 0
    const secret = net.createServer(() => reached++).listen(0, '127.88.0.3')
    await new Promise((resolve) => secret.once('listening', resolve))
    const { port } = secret.address() as net.AddressInfo
    await stolen(['-W', `127.88.0.3:${port}`], [])
    const remote = await stolen(
      ['-o', 'ExitOnForwardFailure=yes', '-R', `127.88.0.2:0:127.88.0.3:${port}`],
      [],
    )
    expect(remote.stderr).toMatch(/remote port forwarding failed/)
    expect(reached).toBe(0)
    secret.close()
  })

  test('from another address the key is worth nothing', async () => {
    host.authorize(box.authorizedKeys().replace('from="127.0.0.0/8"', 'from="192.0.2.1"'))
    await expect(readOverSsh(run, realClock)).rejects.toThrow('refused the key')
    host.authorize(box.authorizedKeys())
  })

  test('the settings of the machine and of its user take no part', async () => {
    const args = sshArguments(run)
    expect(args.slice(0, 2)).toEqual(['-F', '/dev/null'])
    const { stdout } = await promisify(execFile)(sshPath, ['-G', ...args], { cwd: folder })
    for (const line of ['proxycommand', 'localcommand', 'sendenv', 'setenv', 'localforward']) {
      expect(stdout).not.toMatch(new RegExp(`^${line} `, 'm'))
    }
    expect(stdout).toContain('\nbatchmode yes\n')
  })
})

describe('[S12] 1,000 hostile names', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '-oProxyCommand=touch /tmp/owned',
      '-F/tmp/x',
      'pve1;id',
      '$(id)',
      '`id`',
      'pve1\nHost *',
      'root@pve1',
      'pve1 -p 1',
      '../../etc/passwd',
      'ssh://pve1',
      'pve1%h',
      '',
      '-',
      '--',
    ),
    anyText({ maxLength: 300 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 70 }),
    fc.tuple(fc.constantFrom('-', '.', '%', ' ', '@'), fc.string()).map((parts) => parts.join('')),
  )
  const connection = (name: string, address: string) =>
    ({
      id: 'c1',
      type: 'pve',
      name: 'main',
      host: 'https://127.0.0.1:8006',
      clusterEndpoints: [{ NodeID: '1', NodeName: name, IP: address, Host: '', Online: true }],
    }) as NodeConfig

  test('never become a target, and never reach ssh', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, address) => {
        for (const target of targetsOf([connection(name, address)], [])) {
          expect(target.node).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]*$/)
          if (target.address !== undefined) expect(target.address).toMatch(/^[A-Za-z0-9:][A-Za-z0-9.:-]*$/)
        }
        const run = { folder: '/', user: 'x', port: 22, alias: 'a', hostKeyFile: 'k', acceptNewKey: false }
        const argv = sshArguments({ ...run, address })
        expect(argv.at(-1)).toBe(address)
        expect(argv.at(-2)).toBe('--')
        expect(argv.slice(0, -1)).toEqual(sshArguments({ ...run, address: 'other' }).slice(0, -1))
        if (!/^[A-Za-z0-9.:-]+$/.test(address)) {
          await expect(readOverSsh({ ...run, address }, realClock)).rejects.toThrow('not the address')
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
