import { defaultPorts, monitorFlags, sourceKinds } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { aNodeConfig, aNodeWithPassword } from './fake-nodes.tsx'
import {
  formOfNode,
  formOfServer,
  hasNewSecret,
  isChanged,
  newForm,
  type NodeForm,
  nodeProblems,
  normalAddress,
  toInput,
} from './node-form.ts'

const filled: NodeForm = {
  ...newForm('pve'),
  host: 'pve1',
  tokenName: 'mon@pam!pulse',
  tokenValue: 'secret',
}
const byPassword: NodeForm = { ...filled, authType: 'password', user: 'mon@pam', password: 'secret' }

describe('[spec 2 §9] a new node', () => {
  test.each(sourceKinds)('%s starts with its default flags and verification on', (kind) => {
    expect(newForm(kind)).toMatchObject({ verifySSL: true, fingerprint: '', flags: monitorFlags[kind] })
  })

  test('[design exceptions] opens on a token, a mail gateway on a password', () => {
    expect(sourceKinds.map((kind) => newForm(kind).authType)).toEqual(['token', 'token', 'password'])
  })
})

test.each([
  ['pve', { monitorVMs: true, monitorContainers: true, monitorStorage: true, monitorBackups: true }],
  ['pbs', monitorFlags.pbs],
  ['pmg', { ...monitorFlags.pmg, monitorDomainStats: true }],
] as const)('[spec 2 §9] a found %s comes without verification and with every flag', (type, flags) => {
  const server = { type, ip: '192.0.2.7', port: defaultPorts[type], version: 'Unknown' }
  expect(formOfServer({ ...server, hostname: 'lab.example' })).toMatchObject({
    name: 'lab.example',
    host: `https://192.0.2.7:${defaultPorts[type]}`,
    verifySSL: false,
    flags: { ...flags, ...(type === 'pve' && { monitorPhysicalDisks: false }) },
  })
  expect(formOfServer(server).name).toBe('')
})

describe('[spec 2 §5] what is missing in a new node', () => {
  const token = 'Token ID and token value are required'
  const password = 'Username and password are required'
  test.each<[string, NodeForm, Partial<NodeForm>, object]>([
    ['nothing', filled, {}, {}],
    ['the host', filled, { host: '  ' }, { host: 'Host is required' }],
    ['the token ID', filled, { tokenName: ' ' }, { tokenName: token }],
    ['the token value', filled, { tokenValue: ' ' }, { tokenValue: token }],
    ['the whole token', filled, { tokenName: '', tokenValue: '' }, { tokenName: token }],
    ['the user', byPassword, { user: '' }, { user: password }],
    ['the password', byPassword, { password: '' }, { password }],
    ['the whole account', byPassword, { user: '', password: '' }, { user: password }],
    ['the name', filled, { name: '' }, {}],
    ['the fingerprint', filled, { fingerprint: '' }, {}],
  ])('%s', (_what, form, change, problems) => {
    expect(nodeProblems({ ...form, ...change })).toEqual(problems)
  })
})

describe('[spec 2 §5] what is missing in an edited node', () => {
  const stored = aNodeConfig()
  const edited = formOfNode(stored)
  test('secrets may stay blank', () => {
    expect(nodeProblems(edited, stored)).toEqual({})
    const withPassword = aNodeWithPassword('pbs')
    expect(nodeProblems(formOfNode(withPassword), withPassword)).toEqual({})
  })

  test.each<[string, Partial<NodeForm>, object]>([
    ['host', { host: '' }, { host: 'Host is required' }],
    ['token ID', { tokenName: '' }, { tokenName: 'Token ID is required' }],
  ])('%s', (_what, change, problems) => {
    expect(nodeProblems({ ...edited, ...change }, stored)).toEqual(problems)
  })

  test.each<[string, Partial<NodeForm>, boolean]>([
    ['the address as it may be typed', { host: '192.0.2.10' }, false],
    ['another address', { host: '192.0.2.11' }, true],
    ['another port', { host: 'https://192.0.2.10:8007' }, true],
    ['a fingerprint', { fingerprint: 'AB' }, true],
    ['no verification', { verifySSL: false }, true],
    ['another name', { name: 'x' }, false],
  ])('[S11] %s: whether the secret is asked for', (_what, change, asked) => {
    expect(Object.keys(nodeProblems({ ...edited, ...change }, stored))).toEqual(asked ? ['tokenValue'] : [])
    const byPassword = aNodeWithPassword('pve')
    const form = { ...formOfNode(byPassword), ...change }
    expect(Object.keys(nodeProblems(form, byPassword))).toEqual(asked ? ['password'] : [])
    expect(nodeProblems({ ...form, password: 'typed' }, byPassword)).toEqual({})
  })

  test('user name', () => {
    const withPassword = aNodeWithPassword('pbs')
    expect(nodeProblems({ ...formOfNode(withPassword), user: ' ' }, withPassword)).toEqual({
      user: 'Username is required',
    })
  })

  test('the other kind of account has no stored secret that could stay', () => {
    expect(nodeProblems({ ...edited, authType: 'password', user: 'mon@pam' }, stored)).toEqual({
      password: 'Username and password are required',
    })
  })
})

describe('what is sent', () => {
  test('[spec 2 §7] only the account that is chosen, every flag, trimmed texts', () => {
    expect(toInput('pve', { ...filled, name: ' one ', host: ' pve1 ', password: 'left over' })).toEqual({
      type: 'pve',
      name: 'one',
      host: 'pve1',
      fingerprint: '',
      verifySSL: true,
      tokenName: 'mon@pam!pulse',
      tokenValue: 'secret',
      ...monitorFlags.pve,
    })
    const sent = toInput('pve', byPassword)
    expect(sent).toMatchObject({ user: 'mon@pam', password: 'secret' })
    expect(sent).not.toHaveProperty('tokenName')
  })

  test('[spec 2 §5] a blank secret is left out, a removed fingerprint is not', () => {
    const sent = toInput('pve', { ...formOfNode(aNodeConfig({ fingerprint: 'AB:CD' })), fingerprint: '' })
    expect(sent).not.toHaveProperty('tokenValue')
    expect(sent.fingerprint).toBe('')
  })
})

test('a new secret is one in the fields that count', () => {
  expect(hasNewSecret(filled)).toBe(true)
  expect(hasNewSecret({ ...filled, authType: 'password' })).toBe(false)
  expect(hasNewSecret(byPassword)).toBe(true)
  expect(hasNewSecret({ ...filled, tokenValue: ' ' })).toBe(false)
})

test('an edited form knows whether anything differs', () => {
  const stored = aNodeConfig()
  expect(isChanged(formOfNode(stored), stored)).toBe(false)
  expect(isChanged({ ...formOfNode(stored), fingerprint: 'AB' }, stored)).toBe(true)
})

test.each([
  ['pve1', 'https://pve1:8006'],
  [' https://pve1/ ', 'https://pve1:8006'],
  ['https://PVE1:443/#v1', 'https://pve1:443'],
  ['192.0.2.1:8007', 'https://192.0.2.1:8007'],
  ['https://[2001:db8::1]', 'https://[2001:db8::1]:8006'],
  ['', undefined],
  ['not an address', undefined],
])('[facts platform §10.1] %s is compared as %s', (text, address) => {
  expect(normalAddress(text, 'pve')).toBe(address)
})
