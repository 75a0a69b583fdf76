import { Fragment, type ReactNode } from 'react'
import { plainText } from '../../ui/tooltip.tsx'

const mostLines = 400

/** What a release says of itself, as text: headings, lists and paragraphs are told apart, anything else is not interpreted. */
export function ReleaseNotes({ markdown }: { markdown: string }) {
  const blocks = blocksOf(markdown)
  if (blocks.length === 0) return null
  return (
    <div
      ref={reachable}
      role="region"
      aria-label="Release notes"
      className="max-h-64 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 text-table wrap-anywhere text-ink-2"
    >
      {blocks.map((block, index) => (
        <Fragment key={index}>{drawn(block)}</Fragment>
      ))}
    </div>
  )
}

/** What scrolls has to be reached by keyboard. */
function reachable(box: HTMLElement | null): void {
  if (box) box.tabIndex = 0
}

interface Block {
  kind: 'heading' | 'item' | 'text'
  text: string
}

export function blocksOf(markdown: string): Block[] {
  const lines = plainText(markdown).split(/\r?\n/, mostLines)
  return lines.flatMap((line) => {
    const text = bare(line)
    return text === '' ? [] : [{ kind: kindOf(line), text }]
  })
}

function kindOf(line: string): Block['kind'] {
  if (/^ {0,3}#{1,6} /.test(line)) return 'heading'
  return /^\s{0,12}[-*+] /.test(line) ? 'item' : 'text'
}

const bare = (line: string): string =>
  line
    .replace(/^\s{0,12}(?:#{1,6}|[-*+]) /, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim()

function drawn({ kind, text }: Block): ReactNode {
  if (kind === 'heading') return <p className="mt-2 font-medium text-ink first:mt-0">{text}</p>
  if (kind === 'text') return <p className="mt-1 first:mt-0">{text}</p>
  return (
    <p className="flex gap-2">
      <span aria-hidden>•</span>
      <span className="min-w-0">{text}</span>
    </p>
  )
}
