import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../api/request.ts'
import { failedOutcome, outcomeOf } from './test-outcome.ts'

describe('[spec 2 §8] a test that was answered', () => {
  test.each([
    [{ status: 'success', message: 'Connected to PBS' }, 'Connected to PBS'],
    [{ status: 'success', message: '' }, 'Connection successful'],
    [{ status: 'error', message: '' }, 'Connection test failed'],
    [{ status: 'error', message: 'No route' }, 'No route'],
    [
      { status: 'success', message: 'ok', isCluster: true },
      'Cluster detected! All cluster nodes will be automatically added.',
    ],
  ] as const)('%o reads %s', (reply, message) => {
    expect(outcomeOf(reply)).toMatchObject({ ok: reply.status === 'success', message })
  })

  test('tells what it learned', () => {
    const { facts, warnings, fingerprint } = outcomeOf({
      status: 'success',
      message: 'ok',
      version: '9.0.3',
      clusterName: 'lab',
      clusterNodeCount: 3,
      latency: 12,
      warnings: ['no backups'],
      fingerprint: 'AB:CD',
    })
    expect(facts).toEqual(['Version 9.0.3', 'Cluster lab with 3 nodes', '12 ms'])
    expect([warnings, fingerprint]).toEqual([['no backups'], 'AB:CD'])
  })
})

describe('[spec 2 §8] a test that was refused', () => {
  test.each([
    [new ApiError('API request failed: 400 wrong token', 400), 'wrong token'],
    [new ApiError('API request failed: 502', 502), 'Connection failed'],
    [new ApiError('', 400), 'Connection failed'],
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['nothing', 'Connection failed'],
  ])('%s reads %s', (error, message) => {
    expect(failedOutcome(error)).toMatchObject({ ok: false, message })
  })

  test('keeps the fingerprint of the certificate that was shown', () => {
    const body = { untrusted: true, details: { fingerprint: 'AB:CD' } }
    const error = new ApiError('pve1 is self-signed', 400, body)
    const outcome = failedOutcome(error)
    expect(outcome.fingerprint).toBe('AB:CD')
    expect(outcome.untrusted).toBe(true)
    expect(failedOutcome(new ApiError('No certificate of a user', 400)).untrusted).toBe(false)
  })
})
