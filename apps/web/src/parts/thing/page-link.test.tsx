// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderInApp } from '../fake-app.tsx'
import { PageLinkOver } from './page-link.tsx'

afterEach(cleanup)

test('[M 3.3] a link that only a pointer over its row shows is not there on a touch screen', async () => {
  await renderInApp(<PageLinkOver kind="guests" id="main:100" name="web" tabIndex={0} />)
  const link = screen.getByRole('link', { name: 'Open page of web' })
  expect(link.className).toContain('[@media(hover:none)]:hidden')
})
