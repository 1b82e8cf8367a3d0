"""Numbers of decimals of currencies."""

from __future__ import annotations

_DECIMALS = {
    0: "bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf sat sats satoshi satoshis wei "
    "lamport lamports sun",
    2: "aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad cdf "
    "chf cny cop crc cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg "
    "huf idr ils inr irr jmd kes kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur "
    "mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek "
    "sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top try ttd twd tzs uah usd uyu uzs ves wst xcd xcg "
    "yer zar zmw zwg bits ubtc",
    3: "bhd iqd jod kwd lyd omr tnd",
    4: "clf uyw eos",
    5: "mbtc",
    6: "ada trx usdc usdt xrp",
    7: "xlm",
    8: "bch bsv btc btg dash doge ltc xbt zec",
    9: "gwei sol ton",
    10: "dot",
    12: "xmr",
    18: "avax bnb busd dai eth etc link matic pol shib uni",
}

CURRENCIES: dict[str, int | None] = {
    "": None,
    **{code: decimals for decimals, codes in _DECIMALS.items() for code in codes.split()},
}
"""Decimals of the smallest unit of each currency, by code: ISO 4217, and coins."""
