import { describe, expect, test } from 'vitest'
import { anOidcConfig } from '../fake-settings.tsx'
import { lockedFields, oidcProblems, toForm, toInput } from './oidc-form.ts'

const form = (over: Partial<ReturnType<typeof toForm>> = {}) => ({ ...toForm(anOidcConfig()), ...over })

describe('[spec 2 §5] list fields', () => {
  test.each([
    { text: 'a,b', list: ['a', 'b'] },
    { text: ' a ,, b\tc\nd ', list: ['a', 'b', 'c', 'd'] },
    { text: '  ', list: [] },
  ])('$text', ({ text, list }) => {
    expect(toInput(form({ allowedGroups: text }))).toMatchObject({ allowedGroups: list })
  })

  test('are shown on one line', () => {
    expect(toForm(anOidcConfig({ allowedEmails: ['a@x', 'b@x'] })).allowedEmails).toBe('a@x, b@x')
  })
})

test('[spec 2 §5] text fields are trimmed', () => {
  const input = toInput(form({ issuerUrl: ' https://id ', clientId: ' pulse ', groupsClaim: ' groups ' }))
  expect(input).toMatchObject({ issuerUrl: 'https://id', clientId: 'pulse', groupsClaim: 'groups' })
})

test('[spec 2 §9] cleared scopes and claims are the usual ones again', () => {
  expect(toInput(form({ scopes: ' ', usernameClaim: '', emailClaim: ' ' }))).toMatchObject({
    scopes: ['openid', 'profile', 'email'],
    usernameClaim: 'preferred_username',
    emailClaim: 'email',
  })
})

test.each([
  { when: 'blank', over: {}, sent: {} },
  { when: 'typed', over: { clientSecret: 's3cret ' }, sent: { clientSecret: 's3cret ' } },
  {
    when: 'to be cleared',
    over: { clientSecret: 'x', clearClientSecret: true },
    sent: { clearClientSecret: true },
  },
])('[spec 2 §7] a client secret that is $when sends $sent', ({ over, sent }) => {
  const { clientSecret, clearClientSecret } = toInput(form(over))
  expect({ clientSecret, clearClientSecret }).toEqual({
    clientSecret: undefined,
    clearClientSecret: undefined,
    ...sent,
  })
})

describe('[spec 2 §5] issuer URL and client ID', () => {
  test('are required when single sign-on is on', () => {
    expect(oidcProblems(form({ enabled: true, issuerUrl: ' ' }), anOidcConfig())).toEqual({
      issuerUrl: 'Issuer URL is required',
      clientId: 'Client ID is required',
    })
  })

  test('may be empty when it is off', () => {
    expect(oidcProblems(form(), anOidcConfig())).toEqual({})
  })
})

test('[spec 2 §6] only what the environment fixes is locked', () => {
  expect(lockedFields({})).toEqual([])
  expect(lockedFields({ envOverrides: { issuerUrl: true, clientId: false } })).toEqual(['issuerUrl'])
})
