import { sensorsRecordings } from '@pulse/lab'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, sandbox } from './fixtures-sandbox.ts'
import { temperatureFunction, temperatureScript, temperatureSetup } from './setup.ts'

const ourKey = `ssh-ed25519 ${'A'.repeat(67)}1 pulse-sensors`
const otherKey = `ssh-ed25519 ${'A'.repeat(67)}2 pulse-sensors`
const setup = temperatureSetup({ publicKey: ourKey, from: ['192.0.2.10', '2001:db8::/64'] })

let host: Sandbox
beforeEach(() => (host = sandbox()))
afterEach(() => host.remove())

const output = (file: string) => execFileSync(path.join(host.folder, file), { encoding: 'utf8' })

describe('the helper on a node', () => {
  test('the key can do one thing, from the given addresses only', () => {
    host.sensors('exit 0')
    host.run(setup)
    expect(host.authorizedKeys()).toBe(
      `restrict,command="${host.folder}/usr/local/lib/pulse-sensors",from="192.0.2.10,2001:db8::/64" ` +
        `ssh-ed25519 ${'A'.repeat(67)}1 pulse-sensors\n`,
    )
  })

  test('a second run changes nothing', () => {
    host.sensors('exit 0')
    host.run(setup)
    const before = host.authorizedKeys()
    host.run(setup)
    expect(host.authorizedKeys()).toBe(before)
    expect(host.files()).toEqual([
      'account',
      'usr/local/lib/pulse-sensors',
      'var/lib/pulse-sensors/.ssh/authorized_keys',
    ])
  })

  test('--remove leaves nothing, unless another server still needs it', () => {
    host.sensors('exit 0')
    host.run(setup)
    host.run(temperatureSetup({ publicKey: otherKey, from: [] }))
    host.run(setup, '--remove')
    expect(host.authorizedKeys()).toMatch(/^restrict,command="\S+" ssh-ed25519 A{67}2 pulse-sensors\n$/)
    host.run(temperatureSetup({ publicKey: otherKey, from: [] }), '--remove')
    expect(host.files()).toEqual([])
    host.run(setup, '--remove')
  })

  test('it prints what sensors says and ignores every argument', () => {
    host.sensors(`echo "$*" > ${host.folder}/arguments; cat <<'END'\n${sensorsRecordings.amd}END`)
    host.run(setup)
    const helper = path.join(host.folder, 'usr/local/lib/pulse-sensors')
    expect(execFileSync(helper, ['-c', 'cat /etc/passwd'], { encoding: 'utf8' })).toBe(sensorsRecordings.amd)
    expect(fs.readFileSync(path.join(host.folder, 'arguments'), 'utf8')).toBe('-j\n')
  })

  test('without lm-sensors it reads the first thermal zone', () => {
    const zone = path.join(host.folder, 'zone')
    host.run(setup)
    const helper = path.join(host.folder, 'usr/local/lib/pulse-sensors')
    const text = fs.readFileSync(helper, 'utf8')
    fs.writeFileSync(helper, text.replace(/^zone=.*$/m, `zone=${zone}`))
    expect(output('usr/local/lib/pulse-sensors')).toBe('{}\n')
    fs.writeFileSync(zone, '46738\n')
    expect(JSON.parse(output('usr/local/lib/pulse-sensors'))).toEqual({
      'cpu_thermal-virtual-0': { temp1: { temp1_input: 46.738 } },
    })
  })

  test.skipIf(!fs.existsSync('/usr/bin/shellcheck'))('[S12] shellcheck finds nothing', () => {
    const script = path.join(host.folder, 'script')
    const bash = [
      '#!/bin/bash',
      'set -euo pipefail',
      temperatureFunction(setup),
      'temperature_helper "$@"',
      '',
    ]
    for (const text of [temperatureScript(setup), bash.join('\n')]) {
      fs.writeFileSync(script, text)
      execFileSync('/usr/bin/shellcheck', [script], { stdio: 'pipe' })
    }
  })
})

describe('[S12] nothing that is not a key or an address gets into the script', () => {
  test.each([
    '',
    'ssh-rsa AAAA',
    `ssh-ed25519 ${'A'.repeat(40)}$(id)${'A'.repeat(28)}`,
    `ssh-ed25519 ${'A'.repeat(67)}'`,
    `ssh-ed25519 ${'A'.repeat(68)}\n`.replace(' ', '\n'),
  ])('key %j', (publicKey) => expect(() => temperatureSetup({ publicKey, from: [] })).toThrow('public key'))

  test.each([
    '',
    'host',
    '10.0.0.0/33',
    '::1/129',
    '1.2.3.4"',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
    '*',
    '!1.2.3.4',
  ])('address %j', (range) =>
    expect(() => temperatureSetup({ publicKey: ourKey, from: [range] })).toThrow('nor a subnet'),
  )
})
