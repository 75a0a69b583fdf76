// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderSettings, settled } from '../fake-settings.tsx'
import { aDiagnosedNode, aResult } from './fake-diagnostics.ts'
import DiagnosticsSection from './section.tsx'

afterEach(cleanup)

test('nothing is called by a key of the program: system, states and ways to sign in have names', async () => {
  const node = aDiagnosedNode({
    vmDiskCheck: {
      vmsFound: 1,
      vmsWithAgent: 0,
      vmsWithDiskData: 0,
      problematicVMs: [{ vmid: 100, name: 'web', status: 'running', issue: 'there is no guest agent' }],
    },
  })
  await renderSettings(<DiagnosticsSection />, {
    replies: {
      'GET /api/diagnostics': aResult({ nodes: [node] }),
      'GET /api/temperature/nodes': { nodes: [] },
    },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
  await settled()
  for (const summary of document.querySelectorAll('summary')) fireEvent.click(summary)
  await settled()
  const text = document.body.textContent
  for (const name of ['Node.js 26.10.0', 'Linux', '64-bit x86', 'API token', 'Running']) {
    expect(text).toContain(name)
  }
  const cells = [...document.querySelectorAll('td, dd')].map((one) => one.textContent)
  const keys = cells.filter((cell) =>
    /^[a-z]+(_[a-z]+)+$|^[a-z]+([A-Z][a-z]+)+$|^(linux|x64|running)$/.test(cell),
  )
  expect(keys).toEqual([])
})
