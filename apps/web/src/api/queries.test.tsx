// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Queries } from './queries.tsx'
import { QueryRoot, useQueryHolder } from './query-root.tsx'
import { SessionProvider, toSession } from './session.tsx'

afterEach(cleanup)

const asked: string[] = []
function Page({ name }: { name: string }) {
  const { data } = useQuery({
    queryKey: ['/api/things'],
    queryFn: async () => {
      asked.push(name)
      return `answer for ${name}`
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

test('pages share answers; the next user who signs in gets new ones', async () => {
  const { rerender } = await act(async () => render(as('alice', 'nodes')))
  await screen.findByText('answer for alice on nodes')
  await act(async () => rerender(as('alice', 'alerts')))
  expect(screen.getByText('answer for alice on nodes')).toBeDefined()
  await act(async () => rerender(as('bob', 'alerts')))
  await screen.findByText('answer for bob on alerts')
  expect(asked).toEqual(['alice on nodes', 'bob on alerts'])
})

test('an answer fetched before the first page is cached until it is invalidated', async () => {
  asked.length = 0
  let holder: ReturnType<typeof useQueryHolder>
  function Early({ shows }: { shows: boolean }) {
    const own = useQueryHolder()
    useEffect(() => void (holder = own), [own])
    return shows ? (
      <Queries>
        <Page name="page" />
      </Queries>
    ) : null
  }
  const at = (shows: boolean) => (
    <SessionProvider session={toSession({} as SecurityStatus, async () => {})}>
      <QueryRoot>
        <Early shows={shows} />
      </QueryRoot>
    </SessionProvider>
  )
  const { rerender } = await act(async () => render(at(false)))
  holder!.setAnswer('/api/things', 'answer at the start')
  await act(async () => rerender(at(true)))
  expect(screen.getByText('answer at the start')).toBeDefined()
  expect(asked).toEqual([])
  await act(async () => holder!.invalidate('/api/things'))
  await screen.findByText('answer for page')
})
