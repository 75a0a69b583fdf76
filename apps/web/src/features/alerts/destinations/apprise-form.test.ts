import { appriseDefaults, type AppriseConfig } from '@pulse/contract'
import { expect, test } from 'vitest'
import { appriseProblems, isMoved, targetsOf, toForm, toInput } from './apprise-form.ts'

const stored: AppriseConfig = {
  ...appriseDefaults,
  mode: 'http',
  serverUrl: 'https://apprise.lan/notify',
  targets: ['discord://1/********'],
  hasApiKey: true,
}
const form = toForm(stored)

test('[spec 3 §5] targets are split on line ends and commas, trimmed, without empties and duplicates', () => {
  expect(targetsOf(' a://1 ,b://2\n\n,, a://1\r\nc://3,')).toEqual(['a://1', 'b://2', 'c://3'])
})

test('what is sent is everything, blank names are the usual ones', () => {
  const { hasApiKey: _has, ...config } = stored
  expect(toInput(form)).toEqual({ ...config, apiKey: '' })
  expect(toInput({ ...form, cliPath: ' ', apiKeyHeader: '' })).toMatchObject({
    cliPath: 'apprise',
    apiKeyHeader: 'X-API-KEY',
  })
  expect(toInput({ ...form, apiKey: 'x', clearApiKey: true })).toMatchObject({
    apiKey: '',
    clearApiKey: true,
  })
})

test.each([
  ['nothing changes', {}, false],
  ['another path of the same server', { serverUrl: 'https://apprise.lan/other' }, false],
  ['another host', { serverUrl: 'https://other.lan/notify' }, true],
  ['another port', { serverUrl: 'https://apprise.lan:8443/notify' }, true],
  ['no TLS', { serverUrl: 'http://apprise.lan/notify' }, true],
  ['no address', { serverUrl: 'apprise' }, true],
  ['the certificate is not looked at any more', { skipTlsVerify: true }, true],
  ['the other way', { mode: 'cli' as const }, true],
])('a stored key is asked for again: %s', (_case, change, moved) => {
  expect(isMoved({ ...form, ...change }, stored)).toBe(moved)
})

test('only what is enabled has to be complete', () => {
  const empty = { ...form, targets: '', serverUrl: '' }
  expect(appriseProblems(empty)).toEqual({})
  expect(Object.keys(appriseProblems({ ...empty, enabled: true }))).toEqual(['serverUrl', 'targets'])
  expect(appriseProblems({ ...form, enabled: true, targets: '', configKey: 'ops' })).toEqual({})
  expect(appriseProblems({ ...form, enabled: true, mode: 'cli', targets: ' ,', configKey: 'ops' })).toEqual({
    targets: 'Enter at least one delivery target',
  })
})
