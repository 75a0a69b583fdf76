// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TextField } from './text-field.tsx'

afterEach(cleanup)

const noteOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent

test('the label names the field, and typing calls onChange', () => {
  const onChange = vi.fn()
  render(<TextField label="Name" value="a" onChange={onChange} required name="n" />)
  const field = screen.getByLabelText<HTMLInputElement>('Name')
  expect(field).toMatchObject({ type: 'text', value: 'a', required: true, name: 'n' })
  fireEvent.change(field, { target: { value: 'ab' } })
  expect(onChange).toHaveBeenCalledExactlyOnceWith('ab')
})

test('the hint describes the field; an error replaces it', () => {
  const view = render(<TextField label="Name" value="" onChange={() => {}} hint="Any" />)
  const field = screen.getByLabelText('Name')
  expect([noteOf(field), field.getAttribute('aria-invalid')]).toEqual(['Any', null])
  view.rerender(<TextField label="Name" value="" onChange={() => {}} hint="Any" error="Taken" />)
  expect([noteOf(field), field.getAttribute('aria-invalid')]).toEqual(['Taken', 'true'])
})

test('only a password can be shown and hidden', () => {
  render(<TextField label="Name" value="" onChange={() => {}} />)
  expect(screen.queryByRole('button')).toBeNull()
  render(<TextField label="Password" type="password" value="x" onChange={() => {}} />)
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  const types = [field.type]
  for (const name of ['Show', 'Hide']) {
    fireEvent.click(screen.getByRole('button', { name }))
    types.push(field.type)
  }
  expect(types).toEqual(['password', 'text', 'password'])
})
