import { tagColor } from '../../lib/tags.ts'

/** All tags with their dots, where there is room for words. */
export const TagList = ({ tags }: { tags: readonly string[] }) => (
  <span className="flex flex-wrap gap-x-3 gap-y-1">
    {tags.map((tag, index) => (
      <span key={index} className="inline-flex min-w-0 items-center gap-1.5 break-all">
        <span
          aria-hidden
          className="tag-dot size-2 shrink-0 rounded-full"
          style={{ background: tagColor(tag) }}
        />
        {tag}
      </span>
    ))}
  </span>
)
