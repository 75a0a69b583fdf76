import { describe, expect, test } from 'vitest'
import { hasRecordings, recorded } from '../fixtures.ts'
import { chooseApi } from './api.ts'

if (!hasRecordings) console.log('skipped: no ../shared/fixtures/docker')

test.each([
  ['the newest of an old engine', { ApiVersion: '1.24', MinAPIVersion: '1.12' }, '/v1.24'],
  ['the newest of a usual one', { ApiVersion: '1.41', MinAPIVersion: '1.12' }, '/v1.41'],
  ['what is known of a newer one', { ApiVersion: '1.99', MinAPIVersion: '1.44' }, '/v1.51'],
  ['the oldest of one that has left that behind', { ApiVersion: '1.99', MinAPIVersion: '1.60' }, '/v1.60'],
  ['the oldest without a version', {}, '/v1.24'],
  ['the oldest with an invalid version', { ApiVersion: '1.41/../x', MinAPIVersion: 7 }, '/v1.24'],
])('%s', (_what, version, prefix) => {
  expect(chooseApi(version)).toEqual({ prefix, isPodman: false })
})

test('an engine before 1.24 is refused with a message', () => {
  expect(() => chooseApi({ ApiVersion: '1.23' })).toThrow(/API 1\.23; 1\.24 or later/)
})

describe.skipIf(!hasRecordings)('recorded engines', () => {
  test.each([
    ['engine-20.10-cgroupv1', false],
    ['engine-20.10-cgroupv2', false],
    ['podman-4.3-cgroupv1', true],
  ])('%s', (engine, isPodman) => {
    expect(chooseApi(recorded(engine, 'version'))).toEqual({ prefix: '/v1.41', isPodman })
  })
})
