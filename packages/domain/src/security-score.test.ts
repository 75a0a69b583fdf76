import { expect, test } from 'vitest'
import { securityScore } from './security-score.ts'

const all = {
  hasAuthentication: true,
  credentialsEncrypted: true,
  hasHTTPS: true,
  apiTokenConfigured: true,
  exportProtected: true,
}

test.each([
  { when: 'nothing is missing', status: {}, score: 5, tone: 'green' },
  { when: 'one thing is missing', status: { hasHTTPS: false }, score: 4, tone: 'yellow' },
  {
    when: 'two things are missing',
    status: { hasHTTPS: false, apiTokenConfigured: false },
    score: 3,
    tone: 'yellow',
  },
  {
    when: 'three things are missing',
    status: { hasHTTPS: false, apiTokenConfigured: false, exportProtected: false },
    score: 2,
    tone: 'red',
  },
  { when: 'only authentication is missing', status: { hasAuthentication: false }, score: 4, tone: 'red' },
])('[spec 2 §9] when $when: $score of 5, $tone', ({ status, score, tone }) => {
  expect(securityScore({ ...all, ...status })).toMatchObject({ score, outOf: 5, tone })
})

test('[spec 2 §9] names each check with its state', () => {
  expect(securityScore({ ...all, credentialsEncrypted: false }).checks).toEqual([
    { id: 'hasAuthentication', met: true },
    { id: 'credentialsEncrypted', met: false },
    { id: 'hasHTTPS', met: true },
    { id: 'apiTokenConfigured', met: true },
    { id: 'exportProtected', met: true },
  ])
})

test('checks that the caller may not see do not count', () => {
  expect(securityScore({ hasAuthentication: true, hasHTTPS: true })).toMatchObject({
    score: 2,
    outOf: 2,
    tone: 'green',
  })
})
