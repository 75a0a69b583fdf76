// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { storageMetrics } from './metrics.ts'
import { RowFrame } from './row-frame.tsx'

afterEach(cleanup)

const NoControl = () => null

test.each([
  [false, 0],
  [true, 1],
])('on a phone, with an offline control %s, its label is there %i times', (hasOffline, times) => {
  render(
    <RowFrame
      phone
      name="local"
      metrics={storageMetrics}
      value={() => '85'}
      hasOffline={hasOffline}
      offline={<NoControl />}
    />,
  )
  expect(screen.queryAllByText('Offline')).toHaveLength(times)
})
