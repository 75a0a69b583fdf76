import { appriseDefaults, type AppriseConfig } from '@pulse/contract'
import { expect, test } from 'vitest'
import { appriseProblems, areTargetsMoved, isKeyMoved, targetsOf, toForm, toInput } from './form.ts'

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
  ['nothing changes', {}, [false, false]],
  ['another path of the same server', { serverUrl: 'https://apprise.lan/other' }, [false, false]],
  ['another host', { serverUrl: 'https://other.lan/notify' }, [true, true]],
  ['another port', { serverUrl: 'https://apprise.lan:8443/notify' }, [true, true]],
  ['no TLS', { serverUrl: 'http://apprise.lan/notify' }, [true, true]],
  ['no address', { serverUrl: 'apprise' }, [true, true]],
  ['the certificate is not looked at any more', { skipTlsVerify: true }, [true, true]],
  ['the program on this machine', { mode: 'cli' as const }, [false, false]],
])('stored key and targets are asked for again: %s', (_case, change, moved) => {
  const after = { ...form, ...change }
  expect([isKeyMoved(after, stored), areTargetsMoved(after, stored)]).toEqual(moved)
  expect(isKeyMoved(after, { ...stored, hasApiKey: false })).toBe(false)
  expect(areTargetsMoved(after, { ...stored, targets: [] })).toBe(false)
})

test('targets of the program are asked for again by every server', () => {
  expect(areTargetsMoved(form, { ...stored, mode: 'cli' })).toBe(true)
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
