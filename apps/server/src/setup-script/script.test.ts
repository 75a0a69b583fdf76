import { openSandbox, type Sandbox } from '@pulse/lab'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCode, aFarEnd, aScript, type FarEnd } from './fixtures.ts'

const shellcheck = ['/usr/bin/shellcheck', '/usr/local/bin/shellcheck'].find(
  (file) => spawnSync(file, ['--version']).status === 0,
)
if (!shellcheck) console.log('skipped: no shellcheck')

const variants = (['pve', 'pbs'] as const).flatMap((type) =>
  [undefined, 'sha256//AAAA='].flatMap((tlsPin) =>
    [true, false].map((backupPerms) => ({ type, tlsPin, backupPerms })),
  ),
)

describe('[S12] the scripts', () => {
  test.skipIf(!shellcheck).each(variants)(
    'pass shellcheck: $type, pin $tlsPin, backups $backupPerms',
    (values) => {
      const { stdout, status } = spawnSync(shellcheck!, ['--shell=bash', '--severity=style', '-'], {
        input: aScript(values),
        encoding: 'utf8',
      })
      expect(stdout).toBe('')
      expect(status).toBe(0)
    },
  )

  test('hold no code, and every value once, in single quotes', () => {
    const script = aScript({ host: 'https://pve.example.com:8006' })
    expect(script).not.toContain(aCode)
    expect(script.split("'https://pve.example.com:8006'")).toHaveLength(2)
  })
})

describe('[S12] a script on its way', () => {
  let far: FarEnd
  let host: Sandbox
  beforeAll(async () => {
    far = await aFarEnd()
    host = await openSandbox({ product: 'pve', version: '8.4.5' })
  })
  afterAll(async () => {
    await host.close()
    await far.close()
  })

  test('that arrives in part changes nothing, wherever it is cut', async () => {
    const script = aScript({ pulseUrl: far.url })
    for (let length = 0; length < script.length - 20; length += 397) {
      await host.bash([], { input: script.slice(0, length), env: { PULSE_SETUP_CODE: aCode } })
    }
    expect(host.calls).toEqual([])
    expect(far.asked).toEqual([])
  })

  test('that comes through a pipe is not read by the commands it runs', async () => {
    const input = `${aScript({ pulseUrl: far.url })}\necho all of it\n`
    const { code, stdout } = await host.bash([], { input, env: { PULSE_SETUP_CODE: aCode } })
    expect(code).toBe(0)
    expect(stdout.endsWith('all of it\n')).toBe(true)
  })

  test.skipIf(!fs.existsSync('/usr/bin/script'))(
    'asks a terminal for the code, and does not show it',
    async () => {
      const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-terminal-')), 'pulse-setup.sh')
      fs.writeFileSync(file, aScript({ pulseUrl: far.url }))
      const terminal = spawn('/usr/bin/script', ['-qec', `bash ${file}`, '/dev/null'], { env: host.env })
      let shown = ''
      terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
        const isAsked = !shown.includes('command):') && (shown + text).includes('command):')
        shown += text
        if (isAsked) terminal.stdin.write(`${aCode}\n`)
      })
      await new Promise((resolve) => terminal.once('close', resolve))
      fs.rmSync(path.dirname(file), { recursive: true })
      expect(shown).toContain('Setup code (Pulse shows it next to the setup command):')
      expect(shown).not.toContain(aCode)
      expect(far.registered().at(-1)).toMatchObject({ setupCode: aCode })
    },
  )
})
