import { FIELD_WORDS } from '#lib/listings/field-words'
import type { AdviceWords } from '../code-words.ts'

/** French: what goes wrong, and what to do about it. */
export const advice: AdviceWords = {
  attention: {
    second_charge: {
      title: 'Débité deux fois',
      advice:
        'Le payeur a été débité plus d’une fois. Rendez le débit de trop : choisissez-le au remboursement.',
    },
    capture_failed: {
      title: 'Argent qui n’est pas arrivé',
      advice:
        'Le prestataire a repris l’argent de ce paiement avant de le verser. Demandez au payeur de payer à nouveau.',
    },
    wrong_sum: {
      title: 'Somme inattendue',
      advice: 'Le prestataire annonce une autre somme. Acceptez son rappel, ou rendez le débit.',
    },
    wrong_currency: {
      title: 'Autre devise',
      advice:
        'L’argent est arrivé, ou est contesté, dans une autre devise. Rendez-le, ou voyez chez le prestataire.',
    },
    unknown_charge: {
      title: 'Encaissement inconnu',
      advice: 'Un remboursement ou un litige nomme un encaissement inconnu ici. Voyez chez le prestataire.',
    },
    refunded_and_charged_back: {
      title: 'Rendu deux fois',
      advice:
        'Un remboursement et un litige ont repris le même argent. Contestez avec la preuve du remboursement.',
    },
    refund_unresolved: {
      title: 'Remboursement inconnu',
      advice:
        'Le prestataire ne connaît pas notre remboursement. Vérifiez chez lui, puis tranchez ci-dessous.',
    },
    over_refunded: {
      title: 'Trop remboursé',
      advice: 'Plus que le paiement est reparti. Réglez l’écart avec le prestataire ou le payeur.',
    },
    dispute_due: {
      title: 'Litige à traiter',
      advice: 'Répondez au litige chez le prestataire avant sa date.',
    },
    listing_paid_twice: {
      title: 'Annonce payée deux fois',
      advice:
        'Un autre client a aussi payé pour cette annonce. Parlez à l’agent, et remboursez l’un des deux.',
    },
    listing_taken: {
      title: 'Annonce déjà prise',
      advice:
        'L’argent est arrivé quand l’agent avait déclaré l’annonce prise. Remboursez-le, ou parlez-lui.',
    },
    request_paid_twice: {
      title: 'Demande payée deux fois',
      advice: 'Un autre paiement de la même demande a réussi. Remboursez l’un des deux.',
    },
    listing_held_by_another: {
      title: 'Annonce retenue par un autre',
      advice: 'L’acompte est arrivé quand un autre retient l’annonce. Remboursez-le, ou parlez à l’agent.',
    },
    processing_too_long: {
      title: 'En cours depuis trop longtemps',
      advice: 'Pas de fin depuis 30 jours. Cherchez-le chez le prestataire par sa référence.',
    },
    cannot_be_read: {
      title: 'Illisible',
      advice: 'Le prestataire n’a pas répondu cinq fois de suite. Vérifiez son état et nos identifiants.',
    },
  },
  deliveryError: {
    address_not_allowed: 'L’adresse n’est pas publique',
    name_not_found: 'Le nom est introuvable',
    timed_out: 'Pas de réponse en dix secondes',
    connection_failed: 'Pas de connexion',
    webhook_disabled: 'Le webhook était désactivé',
  },
  listingField: {
    ...FIELD_WORDS.fr,
    status: 'État',
    availability: 'Disponibilité',
    name: 'Nom',
    email: 'E-mail',
    displayName: 'Nom public',
    agency: 'Agence',
    licenseNumber: 'Licence',
    documents: 'Documents',
    kycStatus: 'Identité',
    media: 'Photos',
  },
  problem: {
    offline: 'Le serveur est injoignable. Vérifiez la connexion ; votre saisie n’est pas perdue.',
    not_found: 'Il n’y a rien à cette adresse, ou plus rien.',
    too_many_requests: 'Trop de requêtes à la fois. Attendez un instant et réessayez.',
    unavailable: 'Le service ne répond pas pour le moment. Réessayez dans un instant.',
    provider_unavailable: 'Le prestataire ne répond pas pour le moment. Réessayez dans un instant.',
    internal: 'Un problème est survenu chez nous. Réessayez ; s’il persiste, transmettez l’id de la requête.',
    forbidden: 'Aucun de vos rôles ne le permet.',
    step_up_required: 'Ceci déplace de l’argent ou exclut quelqu’un : il faut une connexion récente.',
    second_person_needed: 'Ceci dépasse ce qu’un seul administrateur peut faire : il en faut un autre.',
    payout_transition_not_allowed: 'Ceci ne peut pas suivre l’état actuel du versement.',
    payout_exceeds_balance: 'C’est plus que la somme disponible.',
    payout_account_missing: 'L’agent n’a pas encore de compte utilisable dans cette devise.',
    second_factor_missing: 'Cette personne n’a pas de second facteur.',
    version_conflict: 'Ceci a changé pendant votre lecture.',
    kyc_transition_not_allowed: 'Cet état ne peut pas suivre l’état actuel.',
    listing_transition_not_allowed: 'Cet état ne peut pas suivre l’état actuel.',
    owner_not_verified: 'L’agent n’est pas vérifié. Décidez d’abord de son identité.',
    media_not_ready: 'Aucune photo n’est prête.',
    payment_not_refundable: 'Ce paiement ne peut pas être remboursé.',
    refund_exceeds_payment: 'C’est plus que ce qui reste.',
    already_claimed: 'Quelqu’un d’autre s’en occupe.',
    webhook_limit_reached: 'Il y a déjà 20 webhooks. Supprimez-en un d’abord.',
    validation_failed: 'La saisie n’est pas valable.',
    unauthenticated: 'Votre connexion a pris fin. Reconnectez-vous ; ce que vous avez écrit est gardé.',
    invalid_cursor: 'Cette liste a changé. Rechargez-la.',
    callback_not_resolvable: 'Ce rappel n’attend plus personne.',
    refund_not_resolvable: 'Ce remboursement n’attend plus personne.',
    idempotency_in_progress: 'Le même ordre est en cours. Patientez un instant.',
    idempotency_key_reused: 'Cet ordre est déjà parti avec d’autres mots. Modifiez-le et renvoyez-le.',
    payment_refused: 'Le prestataire de paiement a refusé.',
    payment_transition_not_allowed: 'Cela ne peut pas suivre l’état actuel du paiement.',
    listing_incomplete: 'Il manque quelque chose à l’annonce.',
    draft_limit_reached: 'L’agent a trop de brouillons.',
    listing_limit_reached: 'L’agent a trop d’annonces.',
    review_limit_reached: 'L’agent a trop d’annonces en examen.',
  },
  fault: {
    url: 'L’adresse doit commencer par https:// et mener à un serveur que tout le monde peut joindre.',
    types: 'Choisissez au moins un événement.',
    description: 'La description est trop longue.',
    amount: 'Le prestataire ne peut pas rendre ou verser cette somme précise.',
    minimum: 'La plus petite somme doit être plus que rien.',
    chargeId: 'Choisissez un débit de ce paiement.',
    paymentId: 'Choisissez un paiement du même compte de prestataire.',
    method: 'Aucun prestataire ne verse sur ce compte : payez à la main.',
    paidAt: 'La date du paiement ne doit pas être dans le futur.',
    expiresAt: 'La fin de validité doit être dans le futur.',
    at: 'Le jour ne doit pas être dans le futur.',
    reasons: 'Choisissez un motif, ou écrivez un message.',
    message: 'Écrivez un message de 1 000 lettres au plus, ou choisissez un motif.',
    note: 'Écrivez une note de 1 000 lettres au plus.',
    reason: 'Le motif est trop long.',
    reference: 'La référence manque, ou est trop longue.',
    email: 'Ce n’est pas une adresse e-mail.',
    phone: 'Un numéro commence par + et son pays.',
    name: 'Écrivez au moins un mot d’un nom.',
    q: 'Écrivez ce que vous cherchez.',
    provider: 'Aucun compte de prestataire ne porte ce nom.',
    account: 'Aucun compte du grand livre ne porte ce nom.',
    subject: 'Ce n’est pas un identifiant.',
    from: 'Le premier jour n’est pas valable.',
    to: 'Le dernier jour n’est pas valable.',
  },
}
