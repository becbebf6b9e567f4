import type { ListingFields } from './fields.ts'

/** The names of a listing's fields for people, in the order in which the console compares them. */
export const FIELD_WORDS: Record<'en' | 'fr', Record<keyof ListingFields, string>> = {
  en: {
    offer: 'Offer',
    category: 'Category',
    title: 'Title',
    description: 'Description',
    price: 'Price',
    rentPeriod: 'Rent period',
    location: 'Place',
    bedrooms: 'Bedrooms',
    bathrooms: 'Bathrooms',
    areaSqm: 'Area (m²)',
    features: 'Features',
  },
  fr: {
    offer: 'Offre',
    category: 'Catégorie',
    title: 'Titre',
    description: 'Description',
    price: 'Prix',
    rentPeriod: 'Période du loyer',
    location: 'Lieu',
    bedrooms: 'Chambres',
    bathrooms: 'Salles de bain',
    areaSqm: 'Surface (m²)',
    features: 'Équipements',
  },
}
