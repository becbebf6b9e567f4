import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pagesRenderer, renderPages } from '#lib/media/render/render-pages.pdfium'
import { floorPlans, hostilePdfs, pdf, slowPdfs } from '#test/support/files'

const MEBIBYTE = 1024 ** 2
const render = pagesRenderer({ memoryBytes: 256 * MEBIBYTE, seconds: 60 })
const SLOW = slowPdfs()

async function rendered(bytes: Buffer) {
  const result = await render(bytes)
  if (result.outcome !== 'rendered') throw new Error(result.reason)
  return result
}

describe('the pages of a PDF', () => {
  it('are JPEGs of the full width, in order, each with its number', async () => {
    const { variants, width, height, placeholder } = await rendered(floorPlans(3))
    expect(variants.map(({ content: _, ...facts }) => facts)).toEqual([
      { name: 'full', contentType: 'image/jpeg', page: 1, width: 1920, height: 96 },
      { name: 'full', contentType: 'image/jpeg', page: 2, width: 1920, height: 192 },
      { name: 'full', contentType: 'image/jpeg', page: 3, width: 1920, height: 384 },
    ])
    expect({ width, height }).toEqual({ width: 1920, height: 96 })
    expect(Buffer.from(placeholder, 'base64').length).toBeGreaterThan(4)
  })

  it('are drawn on white, as they are seen in print', async () => {
    const [page] = (await rendered(floorPlans(1))).variants
    const { data, info } = await sharp(page?.content).greyscale().raw().toBuffer({ resolveWithObject: true })
    const brightness = (y: number) => data[y * info.width * info.channels + 5] ?? -1
    expect(brightness(2)).toBeGreaterThan(250)
    expect(brightness(info.height - 3)).toBeLessThan(5)
  })

  it('are ten at most', async () => {
    const { variants } = await rendered(floorPlans(12))
    expect(variants.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('carry no metadata', async () => {
    const [page] = (await rendered(pdf())).variants
    const { exif, xmp, iptc, icc } = await sharp(page?.content).metadata()
    expect({ exif, xmp, iptc, icc }).toEqual({})
  })

  it('fit into 4,096 pixels of height, however long a page is', async () => {
    const { variants } = await rendered(floorPlans(10))
    expect(variants.at(-1)).toMatchObject({ page: 10, height: 4096, width: 160 })
  })
})

describe('a hostile PDF', () => {
  it.each(Object.entries(hostilePdfs()))('that %s is unreadable', async (_, bytes) => {
    expect(await render(bytes)).toEqual({ outcome: 'refused', reason: 'unreadable' })
  })

  // Attack: a kilobyte held a decoder for half a minute, and there were ten for everybody's files.
  it('that is 1 kB and blends twenty thousand fills is given up within seconds', {
    timeout: 60_000,
  }, async () => {
    expect(SLOW.blends.length).toBeLessThan(1_400)
    const startedAt = performance.now()
    expect(await renderPages.make()(SLOW.blends)).toEqual({ outcome: 'refused', reason: 'took_too_long' })
    expect(performance.now() - startedAt).toBeLessThan(25_000)
  })

  it('is given up when its time is over, and its thread ends', async () => {
    const startedAt = performance.now()
    const hurried = pagesRenderer({ memoryBytes: 256 * MEBIBYTE, seconds: 0.5 })
    expect(await hurried(SLOW.holdsAHugePicture)).toEqual({ outcome: 'refused', reason: 'took_too_long' })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect((await rendered(pdf())).variants).toHaveLength(1)
  })
})
