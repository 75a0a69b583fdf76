import type { SetupScriptUrlReply } from '@pulse/contract'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hostileTexts } from '../setup-script/fixtures.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { adminToken, asAdmin, startTestServer } from '../testing/server.ts'
import { givenSetup } from './fixtures.ts'

const shellcheck = ['/usr/bin/shellcheck', '/usr/local/bin/shellcheck'].find((file) => fs.existsSync(file))
if (!shellcheck) console.log('skipped: no shellcheck')
const { ground, nodes, labNode, issue, register, audit } = givenSetup()

const scriptAt = (query: Record<string, string>, headers: Record<string, string>) =>
  ground.server.as(headers)('GET', `/api/setup-script?${new URLSearchParams(query)}`)

describe('[spec 2 §7] POST /api/setup-script-url', () => {
  test('200: a command with a code that lives five minutes, and a record of who made it', async () => {
    const before = ground.clock.now()
    const { url, command, expires, setupCode, fileName } = await issue()
    expect(url).not.toContain(setupCode)
    expect(command.split(' | ')).toEqual([
      `printf 'header = "X-Setup-Code: %s"\\n' ${setupCode}`,
      `curl -fsS -K - '${url}'`,
      `PULSE_SETUP_CODE=${setupCode} bash`,
    ])
    expect(expires).toBeGreaterThanOrEqual(Math.floor((before + 300_000) / 1000))
    expect(expires).toBeLessThanOrEqual((ground.clock.now() + 300_000) / 1000)
    expect(fileName).toBe('pulse-setup.sh')
    expect(new URL(url).origin).toBe(ground.server.url)
    expect(await audit('setup_code_issued')).toMatchObject({ actor: 'anna', target: labNode().url })
  })

  test('400, 401, 403', async () => {
    const ask = (body: unknown, headers: Record<string, string>) =>
      ground.server.as(headers)('POST', '/api/setup-script-url', body)
    const good = { type: 'pve', host: 'pve1' }
    expect((await ask({ ...good, host: 'a$(id)' }, ground.admin)).status).toBe(400)
    expect((await ask({ ...good, type: 'pmg' }, ground.admin)).status).toBe(400)
    expect((await ask(good, {})).status).toBe(401)
    expect((await ask(good, ground.viewer)).status).toBe(403)
    expect((await ask(good, ground.reader)).status).toBe(403)
  })

  test('the address is the one the caller sees; a forwarded host of a stranger plants nothing', async () => {
    const { body } = await ground.server.as({
      ...ground.admin,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    })('POST', '/api/setup-script-url', { type: 'pve', host: 'pve1' })
    expect(JSON.stringify(body)).not.toContain('evil')
  })

  test.skipIf(isForOneProcess('after each of 1,000 calls, the next server would wait for its change'))(
    '[S12] of 1,000 hostile addresses none gets into a command',
    async () => {
      for (const [n, host] of hostileTexts(1_000).entries()) {
        if (n % 25 === 0) ground.clock.pass(61_000)
        const { status, body } = await ground.server.call('POST', '/api/setup-script-url', {
          type: 'pve',
          host,
        })
        if (status === 200) expect((body as SetupScriptUrlReply).url).toMatch(/host=https%3A%2F%2F[\w.%-]+&/)
        else expect(status, host).toBe(400)
      }
    },
  )
})

describe('[spec 2 §7] GET /api/setup-script', () => {
  test('200 for the code, as often as it takes: a text file that no cache keeps', async () => {
    const { url, setupCode } = await issue()
    for (const _ of [1, 2]) {
      const { status, headers, text } = await ground.server.as({ 'x-setup-code': setupCode })(
        'GET',
        url.slice(ground.server.url.length),
      )
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-disposition')).toBe('attachment; filename="pulse-setup.sh"')
      expect(text).not.toContain(setupCode)
    }
  })

  test('[S12] with the temperature helper only when that was asked for; such a script passes shellcheck too', async () => {
    const asked = await issue({ temperature: true })
    const { searchParams } = new URL(asked.url)
    expect(searchParams.get('temperature')).toBe('true')
    const code = { 'x-setup-code': asked.setupCode }
    const whole = await scriptAt(Object.fromEntries(searchParams), code)
    expect(whole.status).toBe(200)
    expect(whole.text).toContain('ssh-ed25519 ')
    searchParams.delete('temperature')
    expect((await scriptAt(Object.fromEntries(searchParams), code)).status).toBe(400)
    const plain = await issue()
    expect(plain.url).not.toContain('temperature')
    if (!shellcheck) return
    const check = spawnSync(shellcheck, ['--shell=bash', '--severity=style', '-'], { input: whole.text })
    expect(String(check.stdout)).toBe('')
  })

  test('[S12] a stranger makes the server run nothing: the code is checked before the key is made', async () => {
    const fresh = await startTestServer(ground.clock)
    const ask = (headers: Record<string, string>, host = 'pve1') => {
      const query = new URLSearchParams({ type: 'pve', host, temperature: 'true' })
      return fresh.as(headers)('GET', `/api/setup-script?${query}`)
    }
    const files = () => fs.readdirSync(fresh.dataDir, { recursive: true }).map(String)
    const hasKey = () => files().some((name) => name.includes('id_ed25519'))
    const input = { type: 'pve', host: 'pve1', backupPerms: true }
    const issued = async (temperature: boolean) =>
      (await fresh.call('POST', '/api/setup-script-url', { ...input, temperature }))
        .body as SetupScriptUrlReply
    const [without, withIt] = [await issued(false), await issued(true)]
    expect((await ask({})).status).toBe(403)
    expect((await ask({ 'x-setup-code': '0'.repeat(32) })).status).toBe(403)
    expect((await ask({ 'x-setup-code': withIt.setupCode }, 'other')).status).toBe(403)
    expect((await ask({ 'x-setup-code': without.setupCode })).status).toBe(400)
    expect(hasKey()).toBe(false)
    expect((await ask({ 'x-setup-code': withIt.setupCode })).status).toBe(200)
    expect(hasKey()).toBe(true)
    await fresh.stop()
  })

  test('200 for an administrator, without a code', async () => {
    const query = { type: 'pbs', host: 'pbs1', pulse_url: ground.server.url }
    for (const headers of [ground.admin, asAdmin]) {
      const { status, text, headers: answer } = await scriptAt(query, headers)
      expect(status).toBe(200)
      expect(answer.get('content-disposition')).toBe('attachment; filename="pulse-pbs-setup.sh"')
      expect(text).toContain("HOST_URL='https://pbs1:8007'")
    }
  })

  test.each([
    ['no caller', () => ({})],
    ['a viewer', () => ground.viewer],
    ['a token that may only read', () => ground.reader],
    ['a code that was never issued', () => ({ 'x-setup-code': '0'.repeat(32) })],
    ['an empty code', () => ({ ...ground.admin, 'x-setup-code': '' })],
  ])('403 for %s', async (_who, headers) => {
    const { status, body } = await scriptAt({ type: 'pve', host: 'pve1' }, headers())
    expect([status, body]).toMatchObject([403, { code: 'invalid_setup_code' }])
  })

  test.each([
    [{ pulse_url: 'https://evil.example' }],
    [{ pulse_url: "http://x';id;'" }],
    [{ backup_perms: 'maybe' }],
    [{ auth_token: 'x' }],
    [{ host: 'pve1$(id)' }],
    [{ type: 'pmg' }],
  ])('400 for %j, from an administrator too', async (wrong) => {
    const query = { type: 'pve', host: 'pve1', ...wrong } as Record<string, string>
    expect((await scriptAt(query, ground.admin)).status).toBe(400)
  })

  test('what differs from what the code was issued for is refused', async () => {
    const { url, setupCode } = await issue()
    const own = Object.fromEntries(new URL(url).searchParams)
    const ask = (given: Record<string, string>) =>
      scriptAt({ ...own, ...given }, { 'x-setup-code': setupCode })
    expect((await ask({ backup_perms: 'false' })).status).toBe(400)
    expect((await ask({ pulse_url: 'http://localhost:1' })).status).toBe(400)
    expect((await ask({ host: 'other' })).status).toBe(403)
    expect((await ask({ type: 'pbs' })).status).toBe(403)
    expect((await ask({})).status).toBe(200)
  })
})

describe('[platform 10.4] POST /api/auto-register', () => {
  test('401-like refusals name what is wrong', async () => {
    const { setupCode } = await issue()
    const refusals: [Record<string, unknown>, Record<string, string>, number, string][] = [
      [{}, {}, 403, 'A setup code is required'],
      [{}, ground.admin, 403, 'A setup code is required'],
      [{ setupCode: 'x' }, {}, 403, 'Unknown setup code'],
      [{ authToken: 'x' }, {}, 403, 'Unknown setup code'],
      [{ setupCode, host: labNode(1).url }, {}, 403, 'another host'],
      [{ setupCode, type: 'pbs' }, {}, 403, 'not for PBS'],
      [{}, ground.reader, 403, 'settings:write'],
      [{ authToken: ground.reader['x-api-token'] }, {}, 403, 'settings:write'],
      [{ setupCode, tokenId: 'no token' }, {}, 400, 'tokenId'],
      [{ setupCode, tokenValue: 'a"b' }, {}, 400, 'tokenId'],
      [{ setupCode, serverName: 'a\nb' }, {}, 400, 'serverName'],
      [{ setupCode, fingerprint: 'AA' }, {}, 400, 'fingerprint'],
      [{ setupCode, fingerprint: Array(32).fill('AA').join(':') }, {}, 400, 'another certificate'],
    ]
    for (const [given, headers, status, text] of refusals) {
      const answer = await register(given, headers)
      expect([answer.status, answer.text], JSON.stringify(given)).toEqual([
        status,
        expect.stringContaining(text),
      ])
    }
    expect(await nodes()).toEqual([])
    expect((await register({ setupCode })).status, 'after all that').toBe(200)
    const again = await register({ setupCode })
    expect([again.status, again.text]).toEqual([403, expect.stringContaining('already been used')])
    ground.clock.pass(3_600_000 * 2)
  })

  test('an expired code and an unknown one get different answers', async () => {
    const { setupCode } = await issue()
    ground.clock.pass(300_000)
    expect((await register({ setupCode })).text).toContain('expired')
  })

  test('[S12] 100 registrations at once with one code: one wins', async () => {
    const { setupCode } = await issue()
    const answers = await Promise.all(Array.from({ length: 100 }, () => register({ setupCode })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(99)
    expect(await nodes()).toHaveLength(1)
  })

  test('an API token that may change settings needs no code, in either place', async () => {
    expect((await register({}, asAdmin)).status).toBe(200)
    expect((await register({ authToken: adminToken })).status).toBe(200)
    expect(await nodes()).toHaveLength(1)
    expect(await audit('node_auto_registered')).toMatchObject({ method: 'token', target: labNode().name })
  })

  test('[platform 16.29] the certificate is pinned and checked; a host that knows none is read by the server', async () => {
    await register({ fingerprint: undefined }, asAdmin)
    expect(await nodes()).toMatchObject([{ fingerprint: labNode().fingerprint, verifySSL: true }])
  })

  test('a host that cannot be reached now: its own word is pinned, without that it is refused', async () => {
    const away = { host: 'https://127.255.255.254:1' }
    expect((await register({ ...away, fingerprint: undefined }, asAdmin)).text).toContain('cannot reach')
    expect((await register(away, asAdmin)).status).toBe(200)
    expect(await nodes()).toMatchObject([{ fingerprint: labNode().fingerprint, verifySSL: true }])
  })

  test('a known host gets the new token and keeps its name and flags', async () => {
    const added = {
      type: 'pve',
      host: labNode().url,
      user: 'root',
      password: 'x',
      name: 'mine',
      monitorBackups: false,
    }
    await ground.server.call('POST', '/api/config/nodes', added)
    const { setupCode } = await issue()
    expect((await register({ setupCode })).status).toBe(200)
    expect(await nodes()).toMatchObject([
      {
        name: 'mine',
        hasToken: true,
        hasPassword: false,
        monitorBackups: false,
        fingerprint: labNode().fingerprint,
      },
    ])
  })

  test('a name that is taken gets its address behind it', async () => {
    const added = {
      type: 'pve',
      host: '127.0.0.1:1',
      user: 'root',
      password: 'x',
      name: labNode().name.toUpperCase(),
    }
    await ground.server.call('POST', '/api/config/nodes', added)
    await register({}, asAdmin)
    expect((await nodes()).map(({ name }) => name)).toContain(`${labNode().name} (${labNode().address})`)
  })
})
