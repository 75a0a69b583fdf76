import { openSandbox } from '@pulse/lab'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownKeyPin, setupCommand, setupNotes } from './command.ts'
import { aCode, aScript, someValues } from './fixtures.ts'

const openssl = '/usr/bin/openssl'

/** The words that curl and bash receive when a shell runs the command. */
function wordsOf(command: string): string {
  const seen = `curl() { printf '[%s]' "$@" >&2; printf '{%s}' "$(cat)" >&2; }; bash() { printf 'bash %s%s' "$PULSE_SETUP_CODE" "$*" >&2; };`
  return spawnSync('/bin/bash', ['-c', `${seen} ${command}`], { encoding: 'utf8' }).stderr
}

describe('[platform 10.2] the setup command', () => {
  test('hands curl and bash exactly these words; the code is in no argument', () => {
    const url =
      'https://pulse.example.com:7655/api/setup-script?type=pve&host=https%3A%2F%2F192.0.2.10%3A8006' +
      '&pulse_url=https%3A%2F%2Fpulse.example.com%3A7655&backup_perms=true'
    const words = wordsOf(setupCommand(someValues(), aCode))
    expect(words).toContain(`[-fsS][-K][-][${url}]`)
    expect(words).toContain(`{header = "X-Setup-Code: ${aCode}"}`)
    expect(words).toContain(`bash ${aCode}`)
  })

  test('says what the person should know', () => {
    expect(setupNotes(someValues()).join('\n')).toMatch(/CURL_CA_BUNDLE[\s\S]*PVEDatastoreAdmin/)
    expect(setupNotes(someValues({ pulseUrl: 'http://192.0.2.1:7655' }))[0]).toContain('plain HTTP')
    expect(setupNotes(someValues({ tlsPin: 'sha256//x', backupPerms: false }))).toHaveLength(1)
  })
})

describe('a certificate that vouches for itself', () => {
  test('is accepted with the key it has now, and with no other', async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-pin-'))
    const pair = (name: string) => {
      const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=pulse']
      const [key, cert] = [path.join(dir, `${name}.key`), path.join(dir, `${name}.crt`)]
      spawnSync(openssl, [...words, '-keyout', key, '-out', cert])
      return { key: fs.readFileSync(key), cert: fs.readFileSync(cert) }
    }
    const [own, other] = [pair('own'), pair('other')]
    const server = https.createServer(own, (_request, response) =>
      response.end('echo fetched "$PULSE_SETUP_CODE"'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const pulseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const run = async (tlsPin: string | undefined) => {
      const child = spawn('/bin/bash', ['-c', setupCommand(someValues({ pulseUrl, tlsPin }), aCode)])
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
      await new Promise((resolve) => child.once('close', resolve))
      return text
    }
    expect(await run(ownKeyPin(own))).toBe(`fetched ${aCode}\n`)
    expect(await run(ownKeyPin(other))).toBe('')
    expect(await run(undefined)).toBe('')

    const host = await openSandbox({ product: 'pve', version: '8.4.5' })
    const script = await host.bash(['-c', aScript({ pulseUrl, tlsPin: ownKeyPin(other) })], {
      env: { PULSE_SETUP_CODE: aCode },
    })
    expect(script.stderr).toContain('cannot be reached')
    await host.close()
    server.close()
    server.closeAllConnections()
    fs.rmSync(dir, { recursive: true })
  })

  test('needs no pin when an authority stands behind it, or when there is none', () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-pin-'))
    const issue = (name: string, ...signer: string[]) =>
      spawnSync(
        openssl,
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`].concat(
          ['-keyout', `${name}.key`, '-out', `${name}.crt`],
          signer,
        ),
        { cwd: dir },
      )
    issue('ca')
    issue('pulse', '-CA', 'ca.crt', '-CAkey', 'ca.key')
    expect(ownKeyPin({ cert: fs.readFileSync(path.join(dir, 'pulse.crt')) })).toBeUndefined()
    expect(ownKeyPin(undefined)).toBeUndefined()
    fs.rmSync(dir, { recursive: true })
  })
})
