import type { ReactNode } from 'react'

interface FieldsetProps {
  title: string
  children: ReactNode
}

/** One topic of the dialog. */
export function Fieldset({ title, children }: FieldsetProps) {
  return (
    <fieldset className="min-w-0 border-t border-line pt-4">
      <legend className="float-left mb-3 w-full text-table font-semibold">{title}</legend>
      <div className="clear-both flex flex-col gap-4">{children}</div>
    </fieldset>
  )
}
