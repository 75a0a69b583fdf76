import { emailDefaults, type EmailConfig } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import {
  emailProblems,
  encryptionOf,
  isMoved,
  portHint,
  toForm,
  toInput,
  withEncryption,
  withProvider,
} from './form.ts'
import { aProvider } from '../fixtures.tsx'

const stored: EmailConfig = {
  ...emailDefaults,
  server: 'mail.lan',
  port: 465,
  hasPassword: true,
  from: 'pulse@mail.lan',
  to: ['a@mail.lan', 'b@mail.lan'],
}
const form = toForm(stored)

test('[spec 3 §5] recipients are lines, blank ones dropped', () => {
  expect(form.to).toBe('a@mail.lan\nb@mail.lan')
  expect(toInput({ ...form, to: ' a@mail.lan \n\n  \nc@mail.lan\na@mail.lan\n' }).to).toEqual([
    'a@mail.lan',
    'c@mail.lan',
  ])
})

test('what is sent is everything; a blank password keeps the stored one, and it can be removed', () => {
  const { hasPassword: _has, ...config } = stored
  expect(toInput(form)).toEqual({ ...config, password: '' })
  expect(toInput({ ...form, password: 'new' }).password).toBe('new')
  expect(toInput({ ...form, password: 'new', clearPassword: true })).toMatchObject({
    password: '',
    clearPassword: true,
  })
})

test('TLS and STARTTLS are never both on', () => {
  for (const encryption of ['tls', 'starttls', 'none'] as const) {
    const both = withEncryption(encryption)
    expect([both.tls && both.startTLS, encryptionOf(both)]).toEqual([false, encryption])
  }
})

describe('a stored password is asked for again', () => {
  test.each([
    ['nothing changes', {}, false],
    ['another server', { server: 'other.lan' }, true],
    ['the same server in capitals', { server: ' MAIL.lan' }, false],
    ['another port', { port: 587 }, true],
    ['no encryption', withEncryption('none'), true],
    ['other encryption', withEncryption('starttls'), false],
    ['another sender', { from: 'other@mail.lan', username: 'other' }, false],
  ])('%s: %o → %s', (_case, change, moved) => {
    expect(isMoved({ ...form, ...change }, stored)).toBe(moved)
    expect(isMoved({ ...form, ...change }, { ...stored, hasPassword: false })).toBe(false)
  })
})

describe('a provider', () => {
  test('[spec 3 §3] sets server, port and encryption; SendGrid the user name too', () => {
    expect(withProvider(form, aProvider())).toEqual({
      provider: 'SendGrid',
      server: 'smtp.sendgrid.net',
      port: 587,
      tls: false,
      startTLS: true,
      username: 'apikey',
    })
  })

  test('without a server of its own leaves what was typed', () => {
    const { username: _name, ...custom } = aProvider({ name: 'Custom SMTP Server', smtpHost: '' })
    const change = withProvider(form, custom)
    expect(change.server).toBe('mail.lan')
    expect('username' in change).toBe(false)
  })

  test('none is none', () => expect(withProvider(form, undefined)).toEqual({ provider: '' }))
})

test('only what is enabled has to be complete', () => {
  const blank = { ...form, server: ' ', from: '' }
  expect(emailProblems(blank)).toEqual({})
  expect(emailProblems({ ...blank, enabled: true })).toEqual({
    server: 'SMTP server is required',
    from: 'From address is required',
  })
  expect(emailProblems({ ...form, enabled: true })).toEqual({})
})

test('ports that are usual for the other encryption are pointed out', () => {
  const at = (port: number, encryption: 'tls' | 'starttls' | 'none') =>
    portHint({ server: 'mail.lan', port, ...withEncryption(encryption) }, { ...stored, server: '' })
  expect(at(587, 'tls')).toContain('STARTTLS')
  expect(at(465, 'starttls')).toContain('TLS')
  expect([at(465, 'tls'), at(587, 'starttls'), at(25, 'none'), at(2525, 'tls')]).toEqual(
    Array(4).fill(undefined),
  )
})

test('[spec 3 §9] of the factory settings, port 587 with TLS, an untouched form says nothing', () => {
  expect([emailDefaults.port, encryptionOf(emailDefaults)]).toEqual([587, 'tls'])
  expect(portHint(emailDefaults, emailDefaults)).toBeUndefined()
  expect(portHint({ ...emailDefaults, server: 'mail.lan' }, emailDefaults)).toContain('STARTTLS')
})
