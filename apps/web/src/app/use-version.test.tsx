// @vitest-environment happy-dom
import { getVersion } from '@pulse/contract'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { aLive } from '../live/fake-live.ts'
import { LiveProvider } from '../live/live.tsx'
import { aBuild } from '../parts/updates/fake-build.ts'
import { useVersion } from './shell.tsx'

afterEach(cleanup)

const Shown = () => <p>{useVersion()?.version}</p>

test('the version is loaded again after a reconnect', async () => {
  const live = aLive()
  let version = '5.1.0'
  const asked: string[] = []
  const call = async ({ path }: { path: string }) => {
    asked.push(path)
    return aBuild({ version })
  }
  await act(async () =>
    render(
      <ApiProvider api={{ call } as unknown as Api}>
        <LiveProvider live={live}>
          <Shown />
        </LiveProvider>
      </ApiProvider>,
    ),
  )
  expect([asked, screen.queryByText('5.1.0')]).toEqual([[getVersion.path], expect.anything()])
  version = '5.2.0'
  await act(async () => live.connection.set({ status: 'reconnecting' }))
  await act(async () => live.connection.set({ status: 'connected' }))
  expect([asked.length, screen.queryByText('5.2.0')]).toEqual([2, expect.anything()])
})
