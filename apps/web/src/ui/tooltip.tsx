import { cloneElement, type ReactElement } from 'react'

export const tooltipMaxWidth = 240

/** What any element needs to have a tooltip; the one TooltipLayer of the page does the rest. */
export function tip(text: string | undefined, maxWidth = tooltipMaxWidth) {
  return text ? { 'data-tip': text, 'data-tip-width': maxWidth } : {}
}

/** lines that fit on a small screen */
const mostLines = 16

/** As many lines as a tooltip has room for, and how many more there are. */
export const firstLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more`]

interface TooltipProps {
  content: string | undefined
  maxWidth?: number
  /** An element; to be reached by keyboard it must be focusable. */
  children: ReactElement
}

export function Tooltip({ content, maxWidth, children }: TooltipProps) {
  return cloneElement(children, tip(content, maxWidth))
}

/** Markup is dropped, not shown and never run; line breaks stay. */
export function plainText(markup: string): string {
  return withoutCode(markup.replace(/<br\s*\/?>/gi, '\n'))
    .replace(/<\/?[a-z!][^>]*>?/gi, '')
    .trim()
}

/** Drops script and style elements with what is in them; one that never ends is left to the rule for tags. */
function withoutCode(markup: string): string {
  let cached = ''
  let keptTo = 0
  let open: { name: string; at: number } | undefined
  for (const { 0: tag, 1: slash, 2: name = '', index } of markup.matchAll(
    /<(\/?)(script|style)\b[^<>]*>?/gi,
  )) {
    if (!open && !slash) open = { name: name.toLowerCase(), at: index }
    if (!open || !slash || open.name !== name.toLowerCase()) continue
    cached += markup.slice(keptTo, open.at)
    keptTo = index + tag.length
    open = undefined
  }
  return cached + markup.slice(keptTo)
}
