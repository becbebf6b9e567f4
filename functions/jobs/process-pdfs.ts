import { quotas } from '#lib/dynamo/quotas'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { inParallel } from '#lib/kernel/parallel'
import { listings } from '#lib/listings/listing-store.dynamo'
import { processPdf } from '#lib/listings/media/process-pdf'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { renderPages } from '#lib/media/render/render-pages.pdfium'
import { readArrivals } from '#lib/media/store/arrived-originals'
import { arrivedOriginals } from '#lib/media/store/original-store.s3'
import { variantWriter } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = consumer({
  name: 'processPdfs',
  summary: 'Checks a PDF that has arrived, and draws the pages of it that people see',
  deps: {
    listings,
    originals: arrivedOriginals,
    variants: variantWriter,
    waiting,
    quotas,
    render: renderPages,
    now: clock,
    newId: ids,
  },
  read: readArrivals,
  // One at a time: the pages of one document may take most of the function's memory.
  run: (names, deps, remainingMilliseconds) =>
    inParallel(names, (name) => processPdf(deps, name, remainingMilliseconds), { width: 1 }),
})
