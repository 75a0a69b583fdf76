import { maxTagDots, tagColor, tagList } from '../../lib/tags.ts'
import { tip } from '../../ui/tooltip.tsx'

/** Up to three coloured dots, each with its tag as tooltip, and how many more there are. */
export function TagDots({ tags }: { tags: string | undefined }) {
  const list = tagList(tags)
  if (list.length === 0) return null
  const rest = list.slice(maxTagDots)
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      <span className="sr-only">Tags: {list.join(', ')}</span>
      {list.slice(0, maxTagDots).map((tag, index) => (
        <span
          key={index}
          aria-hidden
          data-tag={tag}
          className="tag-dot size-2 rounded-full"
          style={{ background: tagColor(tag) }}
          {...tip(tag)}
        />
      ))}
      {rest.length > 0 && (
        <span aria-hidden className="text-2xs text-ink-3" {...tip(rest.join('\n'))}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

/** Where there is no room for more: one dot, and how many there are besides. */
export function FirstTag({ tags }: { tags: string | undefined }) {
  const [first, ...rest] = tagList(tags)
  if (first === undefined) return null
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="tag-dot size-2 rounded-full" style={{ background: tagColor(first) }} />
      {rest.length > 0 && <span className="text-2xs">+{rest.length}</span>}
    </span>
  )
}
