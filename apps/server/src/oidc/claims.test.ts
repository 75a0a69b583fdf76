import type { OidcConfigInput, OidcErrorCode } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { identityOf } from './claims.ts'
import type { Claims } from './exchange.ts'
import { defaultSettings, mergeSettings } from './settings.ts'

const issuerUrl = 'https://id.example.test'
const verified = { email: 'alice@example.test', email_verified: true }

function identity(claims: Claims, settings: OidcConfigInput = {}, userInfo: Claims = {}) {
  const idToken = { sub: 'u-1', ...claims }
  return identityOf({ idToken, userInfo }, mergeSettings(defaultSettings, { issuerUrl, ...settings }))
}
function codeOf(...given: Parameters<typeof identity>): OidcErrorCode | 'in' {
  try {
    identity(...given)
    return 'in'
  } catch (error) {
    return (error as { code: OidcErrorCode }).code
  }
}

test.each<[string, Claims, string]>([
  ['the configured claim', { preferred_username: 'alice', email: 'a@example.test', name: 'Alice' }, 'alice'],
  ['then the email', { email: 'a@example.test', name: 'Alice' }, 'a@example.test'],
  ['then the name', { name: 'Alice' }, 'Alice'],
  ['then the subject', {}, 'u-1'],
  ['nothing but a text', { preferred_username: ['root'], email: 7, name: 'Alice' }, 'Alice'],
  ['no blank text', { preferred_username: ' ', name: 'Alice' }, 'Alice'],
  ['no line breaks and no escapes', { preferred_username: 'al\r\nice\u001b[31m\u0000' }, 'alice[31m'],
  ['no change of direction', { preferred_username: 'a\u202eecil\u2066a' }, 'aecila'],
  ['not more than 128 characters', { preferred_username: '\u{1f600}'.repeat(200) }, '\u{1f600}'.repeat(128)],
])('[facts/platform 6.2] the name is %s', (_what, claims, name) => {
  expect(identity(claims).name).toBe(name)
})

test('[Vaultwarden CVE-2026-47164] who has the same email but another subject is another user', () => {
  const [alice, other] = [identity(verified), identity({ ...verified, sub: 'u-2' })]
  expect([alice.issuer, alice.subject]).toEqual([issuerUrl, 'u-1'])
  expect([other.issuer, other.subject]).toEqual([issuerUrl, 'u-2'])
})

describe('[facts/platform 6.2] who may sign in', () => {
  const emails = { allowedEmails: ['Alice@Example.test'] }
  const domains = { allowedDomains: ['EXAMPLE.test'] }
  const groups = { groupsClaim: 'groups', allowedGroups: ['Ops'] }

  test.each<[string, Claims, OidcConfigInput, OidcErrorCode | 'in']>([
    ['empty lists leave no user out', {}, {}, 'in'],
    ['an email on the list, whatever the case', verified, emails, 'in'],
    ['verified as a text', { ...verified, email_verified: 'true' }, emails, 'in'],
    ['another email', { ...verified, email: 'bob@example.test' }, emails, 'email_restricted'],
    ['an unverified email', { ...verified, email_verified: false }, emails, 'email_restricted'],
    [
      'an email without a statement about its verification',
      { email: verified.email },
      emails,
      'email_restricted',
    ],
    ['verified: 1', { ...verified, email_verified: 1 }, emails, 'email_restricted'],
    ['verified: "TRUE "', { ...verified, email_verified: 'TRUE ' }, emails, 'email_restricted'],
    ['no email', { email_verified: true }, emails, 'email_restricted'],
    ['emails in a list', { ...verified, email: [verified.email] }, emails, 'email_restricted'],
    [
      'the name instead of the email',
      { name: verified.email, email_verified: true },
      emails,
      'email_restricted',
    ],
    ['an email with a tail', { ...verified, email: `${verified.email}\n` }, emails, 'in'],
    ['two lines', { ...verified, email: `x\n${verified.email}` }, emails, 'email_restricted'],
    ['a domain on the list', verified, domains, 'in'],
    ['a domain written with @', verified, { allowedDomains: ['@example.test'] }, 'in'],
    ['a subdomain', { ...verified, email: 'a@x.example.test' }, domains, 'domain_restricted'],
    ['a domain that ends alike', { ...verified, email: 'a@badexample.test' }, domains, 'domain_restricted'],
    ['two @', { ...verified, email: 'a@example.test@evil.test' }, domains, 'domain_restricted'],
    ['a quoted @', { ...verified, email: '"a@evil.test"@example.test' }, domains, 'in'],
    ['an unverified address there', { ...verified, email_verified: false }, domains, 'domain_restricted'],
    ['no email at all', {}, domains, 'domain_restricted'],
    [
      'a look-alike letter',
      { ...verified, email: 'a@\u212aexample.test' },
      { allowedDomains: ['kexample.test'] },
      'domain_restricted',
    ],
    [
      'the right email in the wrong domain',
      verified,
      { ...emails, allowedDomains: ['other.test'] },
      'domain_restricted',
    ],
    [
      'the right domain, not on the list',
      { ...verified, email: 'b@example.test' },
      { ...emails, ...domains },
      'email_restricted',
    ],
    ['a group on the list', { groups: ['dev', 'ops'] }, groups, 'in'],
    ['groups in a text', { groups: 'dev,ops' }, groups, 'in'],
    ['groups in a text with spaces', { groups: 'dev  ops' }, groups, 'in'],
    ['another group', { groups: ['dev'] }, groups, 'group_restricted'],
    ['a group that begins alike', { groups: ['opsy', 'o'] }, groups, 'group_restricted'],
    ['no groups', {}, groups, 'group_restricted'],
    ['groups that are no texts', { groups: [['ops'], { name: 'ops' }, null] }, groups, 'group_restricted'],
    ['groups as an object', { groups: { ops: true } }, groups, 'group_restricted'],
    [
      'the right email without the group',
      { ...verified, groups: [] },
      { ...emails, ...groups },
      'group_restricted',
    ],
    ['all three', { ...verified, groups: ['ops'] }, { ...emails, ...domains, ...groups }, 'in'],
  ])('%s', (_what, claims, settings, expected) => expect(codeOf(claims, settings)).toBe(expected))

  test('an address and its confirmation never come half from the token and half from the user info', () => {
    const own = { email: 'mallory@evil.test', email_verified: true }
    expect(codeOf({ email: verified.email }, emails, own)).toBe('email_restricted')
    expect(codeOf({ email_verified: true }, emails, { email: verified.email })).toBe('email_restricted')
    expect(codeOf({}, emails, verified)).toBe('in')
  })
})

test.each<[string, Claims, OidcConfigInput, string]>([
  ['without admin groups everybody', { groups: ['admin'] }, {}, 'viewer'],
  ['where everybody is an administrator, a user', { groups: [] }, { everyoneIsAdmin: true }, 'admin'],
  [
    'groups decide first: no member',
    { groups: [] },
    { everyoneIsAdmin: true, adminGroups: ['ops'] },
    'viewer',
  ],
  ['a member', { groups: ['OPS'] }, { adminGroups: ['ops'] }, 'admin'],
  ['no member', { groups: ['dev'] }, { adminGroups: ['ops'] }, 'viewer'],
  ['a user without groups', {}, { adminGroups: ['ops'] }, 'viewer'],
  ['a member by a claim that is not read', { roles: ['ops'] }, { adminGroups: ['ops'] }, 'viewer'],
])('[S7] %s: %j is with %j a(n) %s', (_what, claims, settings, role) => {
  expect(identity(claims, { groupsClaim: 'groups', ...settings }).role).toBe(role)
})
