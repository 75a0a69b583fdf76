import { expect, test } from 'vitest'
import { isRefusal } from '../database-error.ts'
import { isHopeless, toDatabaseError } from './postgres-errors.ts'

const failed = (code: string) => toDatabaseError(Object.assign(new Error('it failed'), { code }))

test.each(['25P03', '57P01', '57014', '53300', '08006', 'ECONNRESET'])(
  '[N 1] after %s the database does not take writes at present',
  (code) => expect([isRefusal(failed(code)), isHopeless(failed(code))]).toEqual([true, false]),
)

test.each(['40001', '40P01', 'XX000', '58000', '28P01', '3D000'])(
  '[N 1] %s says nothing about the statement',
  (code) => expect(isHopeless(failed(code))).toBe(false),
)

test.each(['23505', '22P02', '42P01', '42703'])(
  '[N 1] after %s the same statement will never succeed',
  (code) => expect([isHopeless(failed(code)), isRefusal(failed(code))]).toEqual([true, false]),
)
