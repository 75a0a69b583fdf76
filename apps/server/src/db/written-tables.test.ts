import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import type { Schema } from './schema.ts'
import { announcedTable, writtenTable } from './written-tables.ts'

const query = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const token = query.updateTable('api_tokens').where('id', '=', 't')
const session = query.updateTable('sessions').where('token_hash', '=', 's')

test.each([
  ['the use of a token', token.set({ last_used_at: 1 })],
  ['the use of a session', session.set({ last_seen_at: 1 })],
])('[N 2] other processes are not notified of %s: it changes no right', (_, use) => {
  expect([writtenTable(use.compile()), announcedTable(use.compile())]).toEqual([
    expect.any(String),
    undefined,
  ])
})

test.each([
  ['api_tokens', query.deleteFrom('api_tokens').where('id', '=', 't')],
  ['api_tokens', token.set({ last_used_at: 1, name: 'other' })],
  ['sessions', query.deleteFrom('sessions')],
  ['users', query.updateTable('users').set({ password_hash: 'other' })],
])('[N 2] other processes are notified of a change of %s', (table, change) =>
  expect(announcedTable(change.compile())).toBe(table),
)
