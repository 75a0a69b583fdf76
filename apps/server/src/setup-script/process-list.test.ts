import { openSandbox } from '@pulse/lab'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { setupCommand } from './command.ts'
import { aCode, aScript, someValues } from './fixtures.ts'

const shellcheck = ['/usr/bin/shellcheck', '/usr/local/bin/shellcheck'].find((file) => fs.existsSync(file))

/** The arguments of all processes on this machine, which `ps` shows to every user. */
const processList = () =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return '' // the process has ended
      }
    })

test.each(['pve', 'pbs'] as const)(
  '[S16] %s: pasted into a shell, neither command nor script show the code or the token in the list of processes',
  async (type) => {
    const seen: string[] = []
    const asked: string[] = []
    const secrets = [aCode]
    let script = ''
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        seen.push(...processList())
        asked.push(`${request.method} ${String(request.headers['x-setup-code'])}`)
        if (request.method === 'POST') secrets.push((JSON.parse(body) as { tokenValue: string }).tokenValue)
        response.end(request.method === 'GET' ? script : '{"status":"success","message":"","nodeId":"n-1"}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const values = { type, pulseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    script = aScript(values)
    const command = setupCommand(someValues(values), aCode)
    expect(command).not.toContain('\n')
    const version = type === 'pve' ? '8.4.5' : '3.4.1'
    const host = await openSandbox({ product: type, version })
    const { code, stderr } = await host.bash(['-s'], { input: `${command}\n` })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(asked).toEqual([`GET ${aCode}`, `GET ${aCode}`, 'POST undefined'])
    expect(secrets[1]).toBe([...host.accounts.tokens.values()][0])
    expect(seen.some((line) => line.startsWith('curl ') && line.includes(values.pulseUrl))).toBe(true)
    expect(seen.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
    await host.close()
    server.close()
    server.closeAllConnections()
    if (!shellcheck) return
    const check = spawnSync(shellcheck, ['--shell=bash', '--severity=style', '-'], { input: `${command}\n` })
    expect(String(check.stdout)).toBe('')
  },
)
