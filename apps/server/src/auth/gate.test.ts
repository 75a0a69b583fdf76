import { allScopes, type Scope, type TokenScope } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { admit } from './gate.ts'
import type { Principal } from './principal.ts'

const person = (role: 'admin' | 'viewer', isCurrent = true): Principal => ({
  method: 'session',
  id: 'user:1',
  name: 'anna',
  role,
  isCurrent: () => isCurrent,
})
const token = (...scopes: Scope[]): Principal => ({ ...person('viewer'), method: 'token', scopes })
const everything = token(...allScopes)

describe('[S1] the gate', () => {
  test.each([
    { who: 'a stranger', principal: undefined, open: ['public'] },
    { who: 'a user whose rights have ended', principal: person('admin', false), open: ['public'] },
    { who: 'a viewer', principal: person('viewer'), open: ['public', 'user'] },
    { who: 'an administrator', principal: person('admin'), open: ['public', 'user', 'admin'] },
  ])('$who may call what is $open', ({ principal, open }) => {
    const admitted = (['public', 'user', 'admin'] as const).filter(
      (access) => admit({ access, scope: 'all' }, principal).admitted,
    )
    expect(admitted).toEqual(open)
  })

  test.each(allScopes)('a token with %s opens what needs exactly that, whatever the class', (scope) => {
    for (const access of ['user', 'admin'] as const) {
      const needs: TokenScope[] = [...allScopes, 'all', 'none']
      const open = needs.filter((need) => admit({ access, scope: need }, token(scope)).admitted)
      expect(open).toEqual([scope])
    }
  })

  test('a token with every scope opens what needs all, but never what is for people', () => {
    expect(admit({ access: 'admin', scope: 'all' }, everything).admitted).toBe(true)
    expect(admit({ access: 'user', scope: 'none' }, everything)).toMatchObject({ code: 'forbidden' })
  })

  test('a call that forgot its scope is closed to tokens', () => {
    expect(admit({ access: 'user' }, everything).admitted).toBe(false)
  })

  test('[facts/platform 1] the two fixed texts', () => {
    expect(admit({ access: 'user' }, undefined)).toMatchObject({ reason: 'Authentication required' })
    expect(admit({ access: 'admin' }, person('viewer'))).toMatchObject({
      reason: 'Admin privileges required',
    })
  })
})
