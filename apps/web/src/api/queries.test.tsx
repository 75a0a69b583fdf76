// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Queries } from './queries.tsx'
import { QueryRoot } from './query-root.tsx'
import { SessionProvider, toSession } from './session.tsx'

afterEach(cleanup)

const asked: string[] = []
function Page({ name }: { name: string }) {
  const { data } = useQuery({
    queryKey: ['/api/things'],
    queryFn: async () => {
      asked.push(name)
      return `as told to ${name}`
    },
  })
  return <p>{data ?? 'asking'}</p>
}

const as = (user: string, page: string) => (
  <SessionProvider
    session={toSession(
      { user: { name: user, role: 'admin', method: 'session' } } as SecurityStatus,
      async () => {},
    )}
  >
    <QueryRoot>
      <Queries key={page}>
        <Page name={`${user} on ${page}`} />
      </Queries>
    </QueryRoot>
  </SessionProvider>
)

test('pages share what the server said; the next person who signs in is told anew', async () => {
  const { rerender } = await act(async () => render(as('alice', 'nodes')))
  await screen.findByText('as told to alice on nodes')
  await act(async () => rerender(as('alice', 'alerts')))
  expect(screen.getByText('as told to alice on nodes')).toBeDefined()
  await act(async () => rerender(as('bob', 'alerts')))
  await screen.findByText('as told to bob on alerts')
  expect(asked).toEqual(['alice on nodes', 'bob on alerts'])
})
