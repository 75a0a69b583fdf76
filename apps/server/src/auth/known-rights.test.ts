import { expect, test } from 'vitest'
import { createAccess } from './access.ts'
import { aCaller } from './fixtures.ts'
import type { Identity } from './identify.ts'
import { whileKnown } from './known-rights.ts'

const endpoint = { access: 'admin', scope: 'settings:write', method: 'GET', rate: 'general' } as const

function given() {
  let isKnown = true
  let isLive = true
  const identity: Identity = {
    principal: { method: 'session', id: 'user:1', name: 'anna', role: 'admin', isCurrent: () => isLive },
    problem: undefined,
    refused: undefined,
    cookieSession: undefined,
    setCookies: [],
  }
  const access = createAccess({
    identify: whileKnown(async () => identity, { areKnown: () => isKnown, look: async () => {} }),
    limit: { take: () => {}, isUsedUp: () => false, refund: () => {} },
    origins: () => ({ allowedOrigins: [], allowEmbedding: false, allowedEmbedOrigins: [] }),
    publicUrl: undefined,
    demo: undefined,
    record: async () => {},
    onCaller: () => {},
    onAdministrator: () => {},
  })
  return {
    access,
    lose: () => void (isKnown = false),
    end: () => void (isLive = false),
    admitted: () => access.toCall(endpoint, aCaller({ method: 'GET' }), () => {}),
  }
}

const unknown = expect.objectContaining({ code: 'database_unavailable' })

test('[N 2] while rights are not known their holder is refused, but not signed out', async () => {
  const { lose, admitted } = given()
  lose()
  await expect(admitted()).rejects.toEqual(unknown)
})

test('[N 2] nor when they become unknown between the head of a call and its body', async () => {
  const { access, lose, admitted } = given()
  const identity = await admitted()
  access.stillHolds(endpoint, identity)
  lose()
  expect(() => access.stillHolds(endpoint, identity)).toThrow(unknown)
})

test('[S3] one whose right has ended meanwhile is signed out', async () => {
  const { access, end, admitted } = given()
  const identity = await admitted()
  end()
  const signedOut = expect.objectContaining({ code: 'authentication_required' })
  expect(() => access.stillHolds(endpoint, identity)).toThrow(signedOut)
})
