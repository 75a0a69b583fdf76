import { describe, expect, test } from 'vitest'
import { anArea, publicUrl, secret } from './fixtures.ts'
import { memoryStore } from '../testing/memory-settings.ts'

const usable = {
  enabled: true,
  issuerUrl: 'https://id.example.test',
  clientId: 'pulse',
  clientSecret: secret,
}
const disabled = { ...usable, enabled: false }

test('[spec 2 §9] before anything is set, the defaults are shown', async () => {
  const { area } = await anArea()
  expect(area.config(publicUrl)).toEqual({
    enabled: false,
    issuerUrl: '',
    clientId: '',
    clientSecretSet: false,
    redirectUrl: '',
    defaultRedirect: 'http://pulse.test:7655/api/oidc/callback',
    logoutUrl: '',
    scopes: ['openid', 'profile', 'email'],
    usernameClaim: 'preferred_username',
    emailClaim: 'email',
    groupsClaim: '',
    allowedGroups: [],
    allowedDomains: [],
    allowedEmails: [],
    adminGroups: [],
    everyoneIsAdmin: false,
  })
})

describe('[facts/platform 16.20] a change touches only what it names', () => {
  test('saving what was read keeps everything, the secret included', async () => {
    const store = memoryStore()
    const { area } = await anArea({ ...disabled, groupsClaim: 'groups', allowedGroups: ['ops'] }, { store })
    const before = store.texts.get('oidc')
    const { clientSecretSet, defaultRedirect: _derived, ...form } = area.config(publicUrl)
    expect(clientSecretSet).toBe(true)
    expect(await area.change({ ...form, clientSecret: '' }, publicUrl)).toEqual(area.config(publicUrl))
    expect(store.texts.get('oidc')).toBe(before)
  })

  test.each([
    ['one field', { clientId: 'other' }, true],
    ['a field without a value', { issuerUrl: undefined }, true],
    ['a blank secret', { clientSecret: '   ' }, true],
    ['a secret that shall go', { clearClientSecret: true }, false],
    ['a secret that shall stay', { clearClientSecret: false }, true],
    ['a new secret in place of one that shall go', { clearClientSecret: true, clientSecret: 'new' }, true],
  ])('%s', async (_what, change, isSet) => {
    const { area, writes } = await anArea(disabled)
    expect(await area.change(change)).toMatchObject({ issuerUrl: usable.issuerUrl, clientSecretSet: isSet })
    expect(writes()).toBe(2)
  })

  test('an empty list empties', async () => {
    const { area } = await anArea({ ...disabled, allowedEmails: ['a@example.test'] })
    expect(await area.change({ allowedEmails: [] })).toMatchObject({ allowedEmails: [] })
  })

  test('changes at the same time are all kept', async () => {
    const { area } = await anArea(disabled)
    await Promise.all([
      area.change({ clientId: 'a' }),
      area.change({ logoutUrl: 'https://id.example.test/out' }),
    ])
    expect(area.config()).toMatchObject({ clientId: 'a', logoutUrl: 'https://id.example.test/out' })
  })
})

describe('[S11] a stored client secret goes only to the issuer it was saved for', () => {
  const issuerUrl = 'https://id.elsewhere.test'

  test.each([
    ['without it', {}],
    ['with a blank one', { clientSecret: ' ' }],
    ['while it is off', { enabled: false, clientId: 'other' }],
  ])('another issuer %s is refused', async (_how, change) => {
    const { area, writes } = await anArea(disabled)
    await expect(area.change({ issuerUrl, ...change })).rejects.toMatchObject({
      code: 'secret_required',
      details: { clientSecret: expect.any(String) as string },
    })
    expect(area.config()).toMatchObject({ issuerUrl: usable.issuerUrl, clientSecretSet: true })
    expect(writes()).toBe(1)
  })

  test.each([
    ['with the secret', disabled, { clientSecret: 'new' }, true],
    ['without any from now on', disabled, { clearClientSecret: true }, false],
    ['of a public client', { ...disabled, clientSecret: '' }, {}, false],
  ])('another issuer %s is taken', async (_how, before, change, isSet) => {
    const { area } = await anArea(before)
    expect(await area.change({ issuerUrl, ...change })).toMatchObject({ issuerUrl, clientSecretSet: isSet })
  })

  test('an issuer that the environment names does not get it either', async () => {
    const store = memoryStore()
    await anArea(disabled, { store })
    const env = { OIDC_ISSUER_URL: issuerUrl, OIDC_ENABLED: 'false' }
    const { area, lines } = await anArea({}, { store, env })
    expect(area.config()).toMatchObject({ issuerUrl, clientSecretSet: false })
    expect(lines.join('')).toContain('OIDC_CLIENT_SECRET')
    const given = await anArea({}, { store, env: { ...env, OIDC_CLIENT_SECRET: 'new' } })
    expect(given.area.config()).toMatchObject({ issuerUrl, clientSecretSet: true })
    const same = await anArea(
      {},
      { store, env: { OIDC_ISSUER_URL: usable.issuerUrl, OIDC_ENABLED: 'false' } },
    )
    expect(same.area.config()).toMatchObject({ clientSecretSet: true })
  })
})

describe('[S16] the secret does not come back', () => {
  test('neither in the settings nor in the status, the log or an error', async () => {
    const { area, lines } = await anArea(disabled)
    const refused = await area
      .change({ enabled: true, clientId: '', clientSecret: `${secret}-2` })
      .catch(String)
    const shown = [area.config(), area.status(), await area.change({}), refused, lines]
    expect(JSON.stringify(shown)).not.toContain(secret)
  })

  test('not even when what is stored cannot be read', async () => {
    const store = memoryStore()
    store.texts.set('oidc', `{"clientSecret":"${secret}",`)
    const { area, lines, lasting } = await anArea({}, { store })
    expect(area.config()).toMatchObject({ enabled: false, clientSecretSet: false })
    expect(lasting.size).toBe(1)
    expect(JSON.stringify([lines, [...lasting]])).not.toContain(secret)
  })
})

test.each([
  ['issuerUrl', { issuerUrl: '' }],
  ['clientId', { clientId: '' }],
  ['issuerUrl', { issuerUrl: 'id.example.test' }],
  ['issuerUrl', { issuerUrl: 'http://id.example.test' }],
  ['issuerUrl', { issuerUrl: 'http://10.0.0.5' }],
  ['issuerUrl', { issuerUrl: 'https://169.254.169.254' }],
  ['issuerUrl', { issuerUrl: 'https://[::ffff:a9fe:a9fe]/' }],
  ['issuerUrl', { issuerUrl: 'https://user:pass@id.example.test' }],
  ['issuerUrl', { issuerUrl: 'https://id.example.test/?tenant=1' }],
  ['issuerUrl', { issuerUrl: 'https://id.example.test/#x' }],
  ['issuerUrl', { issuerUrl: 'https://id.example.test/.well-known/openid-configuration' }],
  ['issuerUrl', { issuerUrl: 'file:///etc/passwd' }],
  ['redirectUrl', { redirectUrl: '/api/oidc/callback' }],
  ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
  ['redirectUrl', { redirectUrl: 'https://pulse.example.test/api/oidc/callback?x=1' }],
  ['logoutUrl', { logoutUrl: 'javascript:alert(1)' }],
  ['logoutUrl', { logoutUrl: '//evil.test' }],
  ['allowedEmails', { allowedEmails: ['example.test'] }],
  ['allowedDomains', { allowedDomains: ['a@example.test'] }],
  ['allowedDomains', { allowedDomains: ['*.example.test'] }],
  ['allowedGroups', { allowedGroups: ['ops'] }],
  ['adminGroups', { adminGroups: ['ops'] }],
])('[facts/platform 6.2] a mistake in %s is named and nothing is changed: %j', async (field, mistake) => {
  const { area, writes } = await anArea(disabled)
  const before = area.config()
  await expect(area.change({ enabled: true, ...mistake })).rejects.toMatchObject({
    code: 'validation_failed',
    details: { [field]: expect.any(String) as string },
  })
  expect(area.config()).toEqual(before)
  expect(writes()).toBe(1)
})

test.each([
  'http://127.0.0.1:9000',
  'http://localhost:9000/realms/lab',
  'http://[::1]:9000',
  'https://10.0.0.5/',
])('[S11] %s is a possible issuer', async (issuerUrl) => {
  const { area } = await anArea(disabled)
  expect(await area.change({ issuerUrl, clientSecret: secret })).toMatchObject({ issuerUrl })
})

test('while it is off, no sign-in begins and none ends', async () => {
  const { area } = await anArea(disabled)
  await expect(area.begin({ returnTo: '/', publicUrl })).rejects.toMatchObject({ code: 'not_found' })
  const outcome = await area.finish({ query: { state: 'x', code: 'y' }, browserKey: 'z' })
  expect(outcome).toMatchObject({ ok: false, code: 'oidc_init_failed' })
})

describe('[S7] who is an administrator while no groups are named', () => {
  const stored = (more: object) =>
    JSON.stringify({ enabled: true, issuerUrl: 'https://id.example.com', clientId: 'pulse', ...more })

  test.each([
    ['settings from before the choice existed', {}, true],
    ['the same with administrator groups', { adminGroups: ['ops'], groupsClaim: 'groups' }, false],
    ['settings that say so', { everyoneIsAdmin: true }, true],
    ['settings that say no', { everyoneIsAdmin: false }, false],
  ])('%s: %j → everyoneIsAdmin %s, and that is shown', async (_what, more, expected) => {
    const store = memoryStore()
    store.texts.set('oidc', stored(more))
    const { area } = await anArea({}, { store })
    expect(area.config().everyoneIsAdmin).toBe(expected)
  })

  test('new settings make viewers unless they say otherwise; the log names the role', async () => {
    const { area, lines } = await anArea({ ...disabled, issuerUrl: 'https://127.0.0.1:9', enabled: true })
    expect(area.config().everyoneIsAdmin).toBe(false)
    expect(lines.join('')).toContain('is a viewer')
    await area.change({ everyoneIsAdmin: true })
    expect(lines.join('')).toContain('is an administrator')
  })

  test('the environment can say so', async () => {
    const env = { OIDC_ISSUER_URL: 'https://127.0.0.1:9', OIDC_CLIENT_ID: 'pulse' }
    expect((await anArea({}, { env })).area.config().everyoneIsAdmin).toBe(false)
    const declared = await anArea({}, { env: { ...env, OIDC_EVERYONE_IS_ADMIN: 'true' } })
    expect(declared.area.config()).toMatchObject({
      everyoneIsAdmin: true,
      envOverrides: { everyoneIsAdmin: true },
    })
    await expect(anArea({}, { env: { ...env, OIDC_EVERYONE_IS_ADMIN: 'perhaps' } })).rejects.toThrow(
      'OIDC_EVERYONE_IS_ADMIN',
    )
  })
})
