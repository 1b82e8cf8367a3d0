"""Blackjack: rules of tables, rounds settled by them, and their exact house edge."""
